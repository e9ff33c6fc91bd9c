/**
 * Theorem 2 and Algorithm 1 of the composition paper (S. Wang et al., 2025), cell by cell as they are printed, against the pair:
 * docs/composition.md prints what this computes.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { variationRatioDivergence } from '@shuffle-dp/accounting';

const [users, p, beta, q, epsilon] = [20, Math.E, 0.3, Math.E, 0.3];
const alpha = beta / (p - 1);
const s = (2 * beta * p) / ((p - 1) * q);
const rest = 1 - alpha * (p + 1);
const page = readFileSync(new URL('../../../../docs/composition.md', import.meta.url), 'utf8');

const binomial = (k: number, n: number, probability: number): number => {
  if (k < 0 || k > n) return 0;
  let mass = (1 - probability) ** n;
  for (let i = 0; i < k; i++) mass *= ((n - i) / (i + 1)) * (probability / (1 - probability));
  return mass;
};
/** Of other users' messages in the two cells. */
const others = (a: number, b: number): number =>
  a < 0 || b < 0 ? 0 : binomial(a + b, users - 1, s) * binomial(a, a + b, 0.5);

interface Cell {
  /** Pr[P = (a, b)], Pr[Q = (a, b)], and Pr[P0 = (a, b)], the victim's message being in the first cell. */
  readonly first: number;
  readonly second: number;
  readonly alone: number;
  /** The loss whose denominator lacks p. */
  readonly printedLoss: number;
  readonly reached: boolean;
}

const cells: Cell[] = [];
for (let a = 0; a <= users; a++) {
  for (let b = 0; a + b <= users; b++) {
    const [alone, mirrored, none] = [others(a - 1, b), others(a, b - 1), others(a, b)];
    const shared = (rest * (users - a - b) * s) / (1 - s);
    cells.push({
      first: p * alpha * alone + alpha * mirrored + rest * none,
      second: alpha * alone + p * alpha * mirrored + rest * none,
      alone,
      printedLoss: Math.log(
        (2 * p * alpha * a + 2 * alpha * b + shared) / (2 * alpha * a + 2 * alpha * b + shared),
      ),
      // Algorithm 1 runs over a = j + 1 of at least 1.
      reached: a >= 1,
    });
  }
}

function divergence(massOf: (cell: Cell) => number, lossOf: (cell: Cell) => number): number {
  return cells
    .filter(({ reached }) => reached)
    .reduce((sum, cell) => sum + massOf(cell) * Math.max(0, -Math.expm1(epsilon - lossOf(cell))), 0);
}
const ownLoss = ({ first, second }: Cell): number => (first > 0 ? Math.log(first / second) : -Infinity);

describe('what the composition paper prints', () => {
  const truth = variationRatioDivergence({ p, beta, q }, users, epsilon);
  const right = divergence(({ first }) => first, ownLoss);
  const massOfP0 = divergence(({ alone }) => alone, ownLoss);
  const withoutP = divergence(
    ({ first }) => first,
    ({ printedLoss }) => printedLoss,
  );
  const asPrinted = divergence(
    ({ alone }) => alone,
    ({ printedLoss }) => printedLoss,
  );

  it('is the pair where mass and loss are right', () => {
    expect(cells.reduce((sum, { first }) => sum + first, 0)).toBeCloseTo(1, 12);
    expect(right / truth.upper).toBeCloseTo(1, 9);
    expect(right / truth.lower).toBeCloseTo(1, 9);
  });

  it('is not, as Algorithm 1 has both', () => {
    for (const [name, value] of [
      ['right', right],
      ['mass', massOfP0],
      ['loss', withoutP],
      ['printed', asPrinted],
    ] as const) {
      const [, shown] = new RegExp(`<!-- ${name} --> ([0-9.e-]+)`, 'u').exec(page) ?? [];
      expect(Number(shown) / value, `${name}: ${value}`).toBeCloseTo(1, 3);
    }
  });

  it('leaves out the cells without a message of the first kind', () => {
    const missing = cells.filter(({ reached }) => !reached).reduce((sum, { first }) => sum + first, 0);
    const [, shown] = /<!-- missing --> ([0-9.e-]+)/u.exec(page) ?? [];
    expect(Number(shown) / missing).toBeCloseTo(1, 3);
  });
});
