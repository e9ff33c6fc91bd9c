/** Pairs at the ends of their ranges against sums over all counts in hundreds of digits. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { asymmetricVariationRatioDivergence } from '@shuffle-dp/accounting';
import { ROUNDOFF } from '@shuffle-dp/core';
import { dominatingTilt, windowOf } from '../../src/variation-ratio/dominating-window.ts';
import { tailRatio } from '../../src/variation-ratio/excess-anchor.ts';
import { expectedExcess } from '../../src/variation-ratio/expected-excess.ts';
import {
  divergenceProblem,
  logDelta,
  tellingCells,
} from '../../src/variation-ratio/variation-ratio-asymmetric.ts';

type Row = readonly [
  users: number,
  p: number,
  beta: number,
  q0: number,
  q1: number,
  epsilon: number,
  forward: string,
  reverse: string,
];
type Tail = readonly [trials: number, k: number, odds: number, ratio: string];

const path = new URL('../fixtures/far-pairs.json', import.meta.url);
const { rows, tails } = JSON.parse(readFileSync(path, 'utf8')) as { rows: Row[]; tails: Tail[] };

describe('pairs of any ratio, cells of any size', () => {
  it('have brackets that hold the exact divergence, in both orders', () => {
    const misses: string[] = [];
    let oneSided = 0;
    for (const [users, p, beta, q0, q1, epsilon, ...exact] of rows) {
      const cells = tellingCells({ p, beta, q0, q1 });
      const reversed = { ...cells, others0: cells.others1, others1: cells.others0 };
      for (const [i, directed] of [cells, reversed].entries()) {
        const truth = exact[i] === '-inf' ? -Infinity : Number(exact[i]);
        const problem = divergenceProblem(directed, users, epsilon);
        const { lower, upper } = problem ? logDelta(problem) : { lower: -Infinity, upper: -Infinity };
        // The reference is rounded to a double.
        const rounding = truth === -Infinity ? 0 : 1e-15 + 2 * ROUNDOFF * Math.abs(truth);
        if (!(lower <= truth + rounding && upper >= truth - rounding)) {
          misses.push(`n=${users} p=${p} beta=${beta} q=${q0},${q1} eps=${epsilon} order ${i}`);
        }
        if (lower === -Infinity && truth > -Infinity) oneSided++;
      }
    }
    expect(misses).toEqual([]);
    // Within rounding of a jump, or of cells that leave the doubles, nothing is said from below.
    expect(oneSided).toBeLessThan(0.15 * 2 * rows.length);
  });

  it('among two users answer, where a gain leaves the doubles', () => {
    const parameters = { p: 1e121, beta: 0.25, q0: 400, q1: 1e192 };
    const { lower, upper } = asymmetricVariationRatioDivergence(parameters, 2, 279, 'first against second');
    expect(lower).toBe(0);
    // One user alone would show it: the others never raise it.
    expect(upper).toBeLessThanOrEqual(0.25);
  });

  it('have no tilt among the doubles, and are bounded by the gains alone', () => {
    const cells = { cell0: 0.25, cell1: 0.25, other: 0.5, dTelling: 0.5, dOther: 0.1 };
    const problem = { users: 3, ...cells, gapTelling: 1e-310, dConstant: 0, gapError: 0, otherError: 0 };
    const { logScale, value, error } = expectedExcess(problem)!;
    expect(value - error).toBe(0);
    expect(logScale).toBeCloseTo(Math.log(3 * 0.25) + Math.log(1e-310), 10);
  });

  it('count a term that may be positive within the errors of its gap, however likely it is', () => {
    const [users, first, rest] = [1e6, 1e-120, 3e-121];
    const other = 1;
    const problem = {
      users,
      cell0: first,
      cell1: first,
      other,
      dTelling: 0.5,
      dOther: rest,
      // Of three in the telling cells the gap is 0 but for its last digits.
      gapTelling: (rest * (users - 3)) / 3,
      dConstant: 0,
      gapError: 0,
      otherError: 0,
    };
    for (const sign of [-1, 1]) {
      const off = { ...problem, gapTelling: problem.gapTelling * (1 + sign * 2e-15), gapError: 4e-15 };
      expect(windowOf(off, dominatingTilt(off)!, 34).first).toBeLessThanOrEqual(3);
      // With the gap that the error allows, that term alone: Pr[m = 3] Pr[both of two] rho gap.
      const gap = 3 * off.gapTelling * (1 + off.gapError) - rest * (users - 3);
      const logTerm = 3 * Math.log(2 * first) + Math.log((users * (users - 1) * (users - 2)) / 6);
      const excess = expectedExcess(off)!;
      const log = excess.logScale + Math.log(excess.value + excess.error + excess.truncated);
      expect(log).toBeGreaterThanOrEqual(logTerm + Math.log(0.25 * 0.5 * gap) - 1e-3);
    }
  });
});

it('tails over the probability before them, by the fraction and by the integral', () => {
  for (const [trials, k, odds, text] of tails) {
    const ratio = Number(text);
    const error = Math.abs(tailRatio(trials, k, odds) / ratio - 1);
    expect(error, `${trials}, ${k}, ${odds}`).toBeLessThan(3e-14 + 4 * ROUNDOFF * ratio);
  }
});
