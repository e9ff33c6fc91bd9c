/** docs/soundness.md: every number it prints, computed again, and its verdicts against those of the code. */
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import {
  blanketDivergence,
  countedSetting,
  blanketEpsilon,
  certifiedDelta,
  correctedVariationRatioDivergence,
  evaluateBound,
  personalizedBounds,
  publishedBounds,
  variationRatioDivergence,
  variationRatioEpsilon,
  type ShuffleSetting,
} from '@shuffle-dp/accounting';
import { shortEnd } from '../../experiments/src/words/short-number.ts';
import { markedTable } from '../../cli/test/docs/markdown-table.ts';
import { randomizedResponseAtoms } from './atoms/generalized-randomized-response.ts';
import { exhaustiveDivergence } from './oracle/exhaustive-divergence.ts';
import { randomizedResponseMatrix } from './oracle/randomizer-matrices.ts';
import { bare, grr } from './published/settings.ts';

const page = readFileSync(new URL('../../../docs/soundness.md', import.meta.url), 'utf8');

const tableOf = (name: string): string[][] => markedTable(page, name);

/**
 * The printed form where the value is within 0.6 of its last digit: half for rounding, the rest for brackets.
 */
function asPrinted(value: number, printed: string): string {
  const [mantissa, exponent = '0'] = printed.split('e') as [string, string?];
  const decimals = mantissa.split('.')[1]?.length ?? 0;
  // Whole numbers are printed with four digits.
  const trailing = decimals === 0 ? Math.max(0, mantissa.length - 4) : 0;
  const digit = 10 ** (Number(exponent) - decimals + trailing);
  return Math.abs(value - Number(printed)) <= 0.6 * digit ? printed : String(value);
}

/** The largest divergence of the data sets of equal others, from below. */
function responseDivergence(domain: number, epsilon0: number, users: number, epsilon: number): number {
  return Math.max(
    ...(['first value', 'third value'] as const).map(
      (others) =>
        blanketDivergence(randomizedResponseAtoms(domain, epsilon0, others), users, epsilon, {
          ends: 'lower',
        }).lower,
    ),
  );
}

describe('the counterexample by hand', () => {
  test.each([2, 4, 9])('p = %d: the truth is p times the claim', (p) => {
    for (const share of [0.01, 0.5, 0.99]) {
      const growth = (p * p + 1) / (p + 1) + share * (p - (p * p + 1) / (p + 1));
      const unit = (p - growth) / (p + 2) ** 2;
      const truth = exhaustiveDivergence(
        randomizedResponseMatrix(3, Math.log(p)),
        2,
        Math.log(growth),
        ([other]) => other === 0,
      );
      expect(truth.delta / (p * unit)).toBeCloseTo(1, 9);
      const claim = variationRatioDivergence({ p, beta: (p - 1) / (p + 2), q: p }, 2, Math.log(growth));
      expect(claim.upper / unit).toBeCloseTo(1, 9);
    }
  });

  test('the numbers that the command line prints', () => {
    const { blanket, homogeneous, variationRatio } = grr(Math.log(4), 3, 2).amplification;
    const epsilon = Math.log(3.5);
    const worst = [...homogeneous, randomizedResponseAtoms(3, Math.log(4), 'first value')];
    const { lower, upper } = certifiedDelta({ variationRatio, blanket, homogeneous: worst }, 2, epsilon);
    expect(lower).toBeCloseTo(1 / 18, 12);
    expect(upper).toBeCloseTo(1 / 18, 12);
    // A lower end is printed below itself, and an upper one above.
    const below = (value: number): string => (Math.floor(value * 1e7) / 1e7).toFixed(7);
    const above = (value: number): string => (Math.ceil(value * 1e7) / 1e7).toFixed(7);
    expect(page).toContain(`delta between ${below(lower)} and ${above(upper)} (proved)`);
    const corrected = correctedVariationRatioDivergence(variationRatio!, 2, epsilon).upper;
    expect(page).toMatch(new RegExp(`^variation-ratio-corrected +upper +${above(corrected)} `, 'mu'));
    const claimed = variationRatioDivergence(variationRatio!, 2, epsilon).upper;
    expect(page).toMatch(new RegExp(`^variation-ratio +upper +${above(claimed)} `, 'mu'));
  });
});

test.each(tableOf('variation-ratio'))(
  'the pair, epsilon0 = %s, %s values, %s users, delta = %s',
  (...row) => {
    const [epsilon0, domain, users, delta] = row.slice(0, 4).map(Number) as [number, number, number, number];
    const [claimedShown, leastShown, ratioShown] = row.slice(4) as [string, string, string];
    const claimed = variationRatioEpsilon(
      grr(epsilon0, domain, users).amplification.variationRatio!,
      users,
      delta,
    ).upper;
    expect(asPrinted(claimed, claimedShown)).toBe(claimedShown);
    expect(asPrinted(responseDivergence(domain, epsilon0, users, claimed) / delta, ratioShown)).toBe(
      ratioShown,
    );
    const witnesses = (['first value', 'third value'] as const).map((others) =>
      randomizedResponseAtoms(domain, epsilon0, others),
    );
    const least = blanketEpsilon(witnesses, users, delta).lower;
    expect(Number(leastShown)).toBe(Number(shortEnd(least, 'lower')));
    // The certified upper end does not stop short of it.
    const blanket = randomizedResponseAtoms(domain, epsilon0, 'blanket');
    expect(blanketDivergence(blanket, users, least * (1 - 1e-6), { ends: 'upper' }).upper).toBeGreaterThan(
      delta,
    );
  },
);

test.each(tableOf('analytic'))('Theorem 4.2, epsilon0 = %s, delta = %s', (...row) => {
  const [epsilon0, delta] = row.slice(0, 2).map(Number) as [number, number];
  const setting = grr(epsilon0, 128, 1e4);
  const bound = publishedBounds.find(({ name }) => name === 'variation-ratio-analytic')!;
  const epsilon = evaluateBound(bound, setting, { delta }).epsilon!;
  expect(asPrinted(epsilon, row[2]!)).toBe(row[2]!);
  expect(asPrinted(responseDivergence(128, epsilon0, 1e4, epsilon) / delta, row[3]!)).toBe(row[3]!);
});

test('the catalogue refutes Theorem 4.2 by the last row of its table', () => {
  const [epsilon0, delta, epsilon, ratio] = tableOf('analytic').at(-1)!;
  const bound = publishedBounds.find(({ name }) => name === 'variation-ratio-analytic')!;
  const { reason, counterexample } = bound.verdict(grr(Number(epsilon0), 128, 1e4));
  expect(reason).toContain(`the true delta is ${ratio} times the claimed one`);
  expect(counterexample).toMatchObject({
    command: `account grr --epsilon0 ${epsilon0} --domain 128 --users 10000 --delta ${delta}`,
    stated: Number(epsilon),
  });
});

test.each(tableOf('segmented'))('Theorem 3 of the segmented protocol: %s messages, %s items', (...row) => {
  const [messages, items, rate, epsilon] = row.slice(0, 4).map(Number) as [number, number, number, number];
  const claimed = variationRatioDivergence(
    { p: Infinity, beta: rate, q: Math.max(1, items * rate) },
    messages,
    epsilon,
  ).upper;
  const cover = 1 / items;
  const sent = {
    label: 'the item was sent',
    victim0: Float64Array.of(1, 0),
    victim1: Float64Array.of(0, 1),
    others: Float64Array.of(cover, cover),
    symmetric: true,
  };
  const truth = rate * blanketDivergence(sent, messages, epsilon, { ends: 'lower' }).lower;
  expect(asPrinted(claimed, row[4]!)).toBe(row[4]!);
  expect(asPrinted(truth, row[5]!)).toBe(row[5]!);
  expect(asPrinted(truth / claimed, row[6]!)).toBe(row[6]!);
});

test('one slot beside the item: d - 1 times the claim', () => {
  const [items, rate] = [9, 0.2];
  const growth = 1 + (rate * (items - 2)) / (1 - rate);
  const pair = { p: Infinity, beta: rate, q: items * rate };
  const claimed = variationRatioDivergence(pair, 2, Math.log(growth) + 0.01).upper;
  expect((claimed * items) / rate).toBeCloseTo(1, 9);
});

describe('verdicts', () => {
  const shown = (verdicts: readonly unknown[]): string[] => verdicts.map(String);

  test('of published bounds', () => {
    const settings: ShuffleSetting[] = [grr(1, 2, 1e4), grr(1, 16, 1e4)];
    expect(tableOf('verdicts').map((row) => row.slice(0, 4))).toEqual(
      publishedBounds.map((bound) => [
        bound.name,
        bound.direction,
        ...shown(settings.map((setting) => bound.verdict(setting).sound)),
      ]),
    );
  });

  test('of bounds for personal budgets', () => {
    const one = new Float64Array(1000).fill(1);
    const two = Float64Array.from({ length: 1000 }, (_, i) => (i < 500 ? 0.5 : 2));
    const settings = [
      countedSetting({ budgets: one, mechanism: 'clip-laplace', localDelta: 0, clip: 1 }),
      countedSetting({ budgets: two, mechanism: 'clip-laplace', localDelta: 0, clip: 1 }),
      countedSetting({ budgets: two, mechanism: 'laplace', localDelta: 0, clip: 1 }),
    ];
    expect(tableOf('personal verdicts')).toEqual(
      personalizedBounds.map((bound) => [
        bound.name,
        ...shown(settings.map((setting) => bound.verdict(setting).sound)),
      ]),
    );
  });
});

describe('how the closed forms follow from each other without a leftover', () => {
  const value = (name: string, setting: ShuffleSetting, delta: number): number | null =>
    evaluateBound(
      publishedBounds.find((bound) => bound.name === name)!,
      setting,
      { delta },
    ).epsilon;

  // The one that is larger, what it is larger than, and how often both must have said something.
  test.each([
    ['variation-ratio-asymptotic', 'variation-ratio-analytic-repaired', 15],
    ['stronger-clone-closed', 'variation-ratio-analytic-repaired', 20],
    ['clone-closed', 'stronger-clone-closed', 15],
    ['erlingsson', 'stronger-clone-closed', 5],
  ] as const)('%s is above %s', (larger, smaller, often) => {
    let compared = 0;
    for (const p of [1.01, 1.6, 3, 30, 300]) {
      for (const users of [60, 500, 5000, 5e5]) {
        for (const delta of [0.15, 0.009, 1e-6, 1e-12]) {
          const setting = bare(p, (p - 1) / (p + 1), p, users);
          const above = value(larger, setting, delta);
          // What reaches log p was replaced by it, and claims nothing.
          if (above === null || above >= Math.log(p)) continue;
          compared++;
          expect(value(smaller, setting, delta)).toBeLessThanOrEqual(above);
        }
      }
    }
    expect(compared).toBeGreaterThanOrEqual(often);
  });
});

test('the program of the page that needs nothing of this project prints 1/18', () => {
  const source = /```js\n([^]*?)```/u.exec(page)![1]!;
  const printed: unknown[] = [];
  runInNewContext(source, { console: { log: (value: unknown) => printed.push(value) } });
  expect(printed[0]).toBeCloseTo(1 / 18, 14);
});

test('what the program of parallel composition saves, and what Theorem 6.1 does', () => {
  const [epsilon0, users, delta] = [1, 1e4, 1e-6];
  const p = Math.exp(epsilon0);
  const levels = [64, 32, 16, 8, 4, 2].map((domain) => (p - 1) / (p + domain - 1) / 6);
  const at = (beta: number): number => variationRatioEpsilon({ p, beta, q: p }, users, delta).upper;
  const basic = at((p - 1) / (p + 1));
  const saved = (beta: number): string => `${Math.round(100 * (1 - at(beta) / basic))} %`;
  const all = levels.reduce((sum, level) => sum + level);
  expect(page).toContain(
    `it reports ${saved(levels[0]!)} saved over basic composition; the correct number is ${saved(all)}.`,
  );
});
