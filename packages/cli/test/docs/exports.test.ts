/** What core exports, another package needs: the check for unused code takes an entry for use enough. */
import * as core from '@shuffle-dp/core';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './reader-pages.ts';

/** For programs of one's own: what `bracketRoot` throws, and functions that a page or a benchmark measures. */
const FOR_USERS = ['BracketError', 'logRegularizedIncompleteBeta', 'sampleLaplace'];

it('core exports nothing that no other package uses', () => {
  const sources = readdirSync(join(ROOT, 'packages'))
    .filter((name) => name !== 'core')
    .flatMap((name) => {
      const source = join(ROOT, 'packages', name, 'src');
      return readdirSync(source, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/u.test(file))
        .map((file) => readFileSync(join(source, file), 'utf8'));
    });
  const words = new Set(sources.flatMap((text) => text.match(/[A-Za-z_]\w*/gu) ?? []));
  expect(Object.keys(core).filter((name) => !words.has(name))).toEqual(FOR_USERS);
});
