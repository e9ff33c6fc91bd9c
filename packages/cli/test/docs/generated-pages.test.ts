import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
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
});
