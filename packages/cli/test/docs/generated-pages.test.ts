import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { accountMechanism } from '@shuffle-dp/experiments/account';
import { committedLedger } from '@shuffle-dp/papers/claims';
import { FIGURES } from '@shuffle-dp/papers/figures';
import { BOUND_STATEMENTS } from '../../src/docs/bound-statements.ts';
import { GENERATED_PAGES } from '../../src/docs/generated-pages.ts';

const source = new URL('../../src/docs/', import.meta.url);

describe('generated pages', () => {
  it.each(GENERATED_PAGES)('$path is what the code says; if not, run `pnpm run docs`', ({ path, text }) => {
    expect(readFileSync(new URL(path, source), 'utf8')).toBe(text());
  });

  it('have a section for every bound that is stated, and a statement for every bound', () => {
    const page = readFileSync(new URL(GENERATED_PAGES[0]!.path, source), 'utf8');
    const sections = [...page.matchAll(/^### `([\w-]+)`$/gmu)].map((match) => match[1]);
    expect(sections).toEqual(Object.keys(BOUND_STATEMENTS));
    expect(page).not.toContain('undefined');
  });

  it('leave out bounds that say nothing of any example', () => {
    const page = readFileSync(new URL('../../../../docs/accounting.md', source), 'utf8');
    const [, tables] = /## What they give\n([^]*?)\n## /u.exec(page)!;
    const empty = tables!.split('\n\n').flatMap((table) => {
      const [names, , ...rows] = table.split('\n').map((row) => row.split('|').map((cell) => cell.trim()));
      return names!.filter(
        (name, i) => name !== '' && rows.length > 0 && rows.every((row) => row[i] === '-'),
      );
    });
    expect(empty).toEqual([]);
  });

  it('state the lower end of other users who hold two values, which no example shows', () => {
    const { bounds } = accountMechanism('grr', { epsilon0: 1, domain: 3 }, 5, { epsilon: 0.5 });
    expect(bounds.map(({ name }) => name)).toContain('mixed-data');
    expect(Object.keys(BOUND_STATEMENTS)).toEqual(expect.arrayContaining(bounds.map(({ name }) => name)));
  });

  it('count the papers whose statements the ledger judges', () => {
    const judged = [...new Set(committedLedger().claims.map(({ paper }) => paper))];
    const withFigures = judged.filter((judgedPaper) => FIGURES.some(({ paper }) => paper === judgedPaper));
    expect([withFigures.length, judged.length]).toEqual([5, 6]);
    const page = readFileSync(new URL('../../../../docs/reproduction.md', source), 'utf8');
    expect(page).toContain('five papers print, a statement of a sixth');
  });
});
