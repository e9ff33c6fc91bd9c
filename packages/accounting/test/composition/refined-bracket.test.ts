/** Brackets that are refined from one lattice to the next, whose curves may lie elsewhere. */
import { describe, expect, test } from 'vitest';
import { gaussianDivergence, interval, type Interval } from '@shuffle-dp/core';
import { composeSources, type Grid } from '../../src/composition/refined-bracket.ts';
import { profileSource, type RoundSource } from '../../src/composition/round-source.ts';

const COUNT = 16;
const TARGET = { delta: 1e-6 };
/** Never reached, so that a second lattice is looked at. */
const WIDTH = 1e-9;
const GRID: Grid = { step: 0.01, tail: 1e-12 };

function gaussian(deviation: number, proved: 'both' | 'upper'): RoundSource {
  const profile = (epsilon: number): Interval => {
    const delta = gaussianDivergence(deviation, epsilon);
    return interval(delta * (1 - 1e-12), delta * (1 + 1e-12));
  };
  return profileSource(profile, null, COUNT, undefined, { proved });
}

/** Rounds that look like the first deviation on the first lattice, and like the second on all others. */
function changing(first: number, then: number, proved: 'both' | 'upper'): RoundSource {
  const sources = [gaussian(first, proved), gaussian(then, proved)] as const;
  let lattices = 0;
  return {
    ...sources[0],
    curves: (step, tail, closeness) => sources[lattices++ === 0 ? 0 : 1].curves(step, tail, closeness),
  };
}

function afterTwoLattices(source: RoundSource): Interval {
  let brackets = 0;
  return composeSources([source], TARGET, WIDTH, { known: () => GRID, mayRefine: () => ++brackets < 2 });
}

function onTheFirst(source: RoundSource): Interval {
  return composeSources([source], TARGET, WIDTH, { known: () => GRID, mayRefine: () => false });
}

describe('from one lattice to the next', () => {
  test('a lower end that is made up gives way to an upper end below it', () => {
    const [wide, narrow] = [onTheFirst(gaussian(0.11, 'upper')), onTheFirst(gaussian(0.1, 'upper'))];
    const made = afterTwoLattices(changing(0.11, 0.1, 'upper'));
    expect(narrow.upper).toBeLessThan(wide.lower);
    expect(made.upper).toBeLessThanOrEqual(narrow.upper);
    expect(made.lower).toBeLessThanOrEqual(made.upper);
  });

  test('a proved one stands, and contradicts it', () => {
    expect(() => afterTwoLattices(changing(0.11, 0.1, 'both'))).toThrow(/lattice/);
  });

  test('a proved one of the first is kept where the next tells less', () => {
    const first = onTheFirst(gaussian(0.1, 'both'));
    const kept = afterTwoLattices(changing(0.1, 0.0999, 'both'));
    expect(onTheFirst(gaussian(0.0999, 'both')).lower).toBeLessThan(first.lower);
    expect(kept.lower).toBe(first.lower);
  });
});

test.each([
  ['cheap', 1, 5000, 10_000],
  ['dear', 1e5, 120, 600],
])('a curve whose points are %s is asked at as many as are affordable', (_, sines, least, most) => {
  const work = { sines, points: 1 };
  const profile = (epsilon: number): Interval => {
    work.sines += sines;
    work.points++;
    const delta = gaussianDivergence(0.1, epsilon);
    return interval(delta * (1 - 1e-12), delta * (1 + 1e-12));
  };
  const source = profileSource(profile, null, COUNT, undefined, { work });
  const { lower, upper } = composeSources([source], TARGET, WIDTH, {
    known: () => ({ step: 2e-4, tail: 1e-12 }),
    mayRefine: () => false,
  });
  const { lower: exact } = onTheFirst(gaussian(0.1, 'both'));
  expect(work.points).toBeLessThan(most);
  expect(work.points).toBeGreaterThan(least);
  expect(upper).toBeGreaterThan(exact);
  expect(lower).toBeGreaterThan(0.9 * exact);
});
