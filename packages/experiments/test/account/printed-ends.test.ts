/** Ends and budgets that pages print in their text, on the side on which they stay proved. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createNumberProtocol } from '@shuffle-dp/protocols';
import { accountMechanism } from '../../src/account/account.ts';
import { shortEnd } from '../../src/words/short-number.ts';

const pageOf = (name: string): string =>
  readFileSync(new URL(`../../../../docs/${name}.md`, import.meta.url), 'utf8');

it('docs/threats.md: colluding users', () => {
  const [, none, some, most] =
    /upper end of ([\d.]+) becomes ([\d.]+) with 10 % colluding, and ([\d.]+) with/u.exec(pageOf('threats'))!;
  const parameters = { epsilon0: 3, domain: 16 };
  const ends = [0, 0.1, 0.9].map((colluding) => {
    const { bracket } = accountMechanism('grr', parameters, 10_000, { delta: 1e-6 }, { colluding });
    return shortEnd(bracket.upper, 'upper');
  });
  expect([none, some, most]).toEqual(ends);
});

describe('docs/noisy-counts.md: anonymous counts', () => {
  const page = pageOf('noisy-counts');
  const ONE = { users: 10_000, delta: 1e-6, epsilon: 1 };

  it('the messages that hide the numbers are enough', () => {
    const [, printed] = /a mean of (\d+) messages of each sign/u.exec(page)!;
    const { parameters } = createNumberProtocol({ kind: 'anonymous-count' }, ONE);
    const { sharedMean } = parameters as { readonly sharedMean?: number };
    expect(Number(printed)).toBe(Math.ceil(sharedMean!));
  });

  it('what is left of the noise', () => {
    const [, most, some] = /95 % of\s+the noise give an epsilon of ([\d.]+), and 70 % give ([\d.]+)\./u.exec(
      page,
    )!;
    const protocol = createNumberProtocol({ kind: 'anonymous-count' }, { ...ONE, epsilon: 0.5 });
    const ends = [0.05, 0.3].map((colluding) =>
      shortEnd(protocol.threatenedPrivacy!({ colluding })[0]!.epsilon.upper, 'upper', 3),
    );
    expect([most, some]).toEqual(ends);
  });
});
