/**
 * The words of an enum are written once: where a config, a flag or a card lists them, no other file has a
 * type of the same words.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../reader-pages.ts';

const FILES = readdirSync(join(ROOT, 'packages')).flatMap((name) =>
  readdirSync(join(ROOT, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/u.test(file))
    .map((file) => ({
      file: join(name, 'src', file),
      text: readFileSync(join(ROOT, 'packages', name, 'src', file), 'utf8'),
    })),
);

const wordsOf = (list: string): string =>
  [...list.matchAll(/'([\w-]+)'/gu)]
    .map(([, word]) => word)
    .sort()
    .join(' ');

/** Types that are some words and no more. */
const TYPES = FILES.flatMap(({ file, text }) =>
  [...text.matchAll(/[:=]\s*\|?\s*('[\w-]+'(?:\s*\|\s*'[\w-]+')+)\s*[;,)]/gu)].map(([, union]) => ({
    file,
    words: wordsOf(union!),
  })),
);

it('finds types of words', () => {
  expect(TYPES.length).toBeGreaterThan(50);
});

it('a list of choices is of no type that is written in another file', () => {
  const twice = FILES.flatMap(({ file, text }) =>
    [...text.matchAll(/(?:oneOf\(|choices\(|choiceField\(\s*'\w+',\s*)\[([^\]]*)\]/gu)].flatMap(
      ([, list]) => {
        const others = TYPES.filter((type) => type.words === wordsOf(list!) && type.file !== file);
        return others.length === 0 ? [] : [`${file}: ${wordsOf(list!)}, as ${others[0]!.file} has it`];
      },
    ),
  );
  expect(twice).toEqual([]);
});
