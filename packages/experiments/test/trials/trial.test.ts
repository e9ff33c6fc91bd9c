// What a trial is compared with, on a protocol whose estimate is known.
import type { CategoricalData } from '@shuffle-dp/core';
import { describe, expect, it } from 'vitest';
import type { CellProtocol } from '../../src/trials/cell-protocol.ts';
import type { CategoryCell, Cell } from '../../src/kinds/cell.ts';
import { drawData, runTrial, type TrialPurpose } from '../../src/trials/trial.ts';
import { openDataSource } from '../../src/data/data-sets.ts';

const data = {
  kind: 'categories',
  users: 8,
  domain: 3,
  categories: Uint32Array.of(0, 0, 0, 0, 1, 1, 1, 2),
  histogram: Float64Array.of(4, 3, 1),
  population: Float64Array.of(0.25, 0.25, 0.5),
} as unknown as CategoricalData;

const ESTIMATE = [0.75, 0.25, 0.125];
/** Against the frequencies 4/8, 3/8, 1/8, and against the population. */
const ERRORS = [0.25, -0.125, 0];
const SQUARED = 1 / 16 + 1 / 64;
const POPULATION_SQUARED = 1 / 4 + 9 / 64;

function trialOf(
  changes: Partial<CategoryCell> = {},
  given = data,
  trial = 0,
  purpose: TrialPurpose = 'trial',
) {
  const seen: string[] = [];
  const protocol: CellProtocol = {
    expectedError: () => null,
    cost: () => ({ messagesPerUser: 1, bitsPerUser: 1 }),
    trust: 'shuffler',
    describe: () => {
      throw new Error('not asked');
    },
    estimate: (_, stream) => {
      seen.push(stream.path);
      return Float64Array.from(ESTIMATE);
    },
  };
  const cell = {
    holds: 'categories',
    streamLabel: 'label',
    postprocess: 'none',
    data: { seed: 'seed' },
    ...changes,
  } as unknown as Cell;
  const itemErrors = Float64Array.of(10, 10, 10);
  const outcome = runTrial(cell, protocol, given, { number: trial, purpose }, { itemErrors });
  return { outcome, itemErrors, path: seen.join() };
}

describe('the error of a trial', () => {
  it('is against the frequencies, and beside it against the population', () => {
    const { outcome, itemErrors } = trialOf();
    expect(outcome.squaredError).toBe(SQUARED);
    expect(outcome.populationError).toBe(POPULATION_SQUARED);
    expect(outcome.otherError).toBeNaN();
    expect([...itemErrors]).toEqual(ERRORS.map((error) => 10 + error));
  });

  it('has no population where there is none', () => {
    const { outcome } = trialOf({}, { ...data, population: null } as unknown as CategoricalData);
    expect(outcome.squaredError).toBe(SQUARED);
    expect(outcome.populationError).toBeNaN();
  });

  it('by the range queries: the mean over all ranges of the squared error of their sums', () => {
    const { outcome } = trialOf({ measure: 'ranges' });
    const meanOverRanges = ([a, b, c]: readonly number[]): number =>
      (a! ** 2 + b! ** 2 + c! ** 2 + (a! + b!) ** 2 + (b! + c!) ** 2 + (a! + b! + c!) ** 2) / 6;
    expect(outcome.squaredError).toBeCloseTo(meanOverRanges(ERRORS), 15);
    expect(outcome.populationError).toBeCloseTo(meanOverRanges([0.5, 0, -0.375]), 15);
  });

  it.each([
    ['maximum', 0.25],
    ['total-variation', 0.1875],
  ] as const)('by the %s', (error, value) => {
    expect(trialOf({ error }).outcome.otherError).toBe(value);
  });

  it('is of the estimate after its clean-up', () => {
    const { outcome } = trialOf({ postprocess: 'project-simplex' });
    // The sum is 1.125: the projection takes 1/24 from each.
    const errors = ERRORS.map((error) => error - 1 / 24);
    expect(outcome.squaredError).toBeCloseTo(
      errors.reduce((sum, error) => sum + error ** 2, 0),
      15,
    );
  });
});

it('every cell, trial and purpose has random numbers of its own', () => {
  const paths = [
    trialOf().path,
    trialOf({}, data, 1).path,
    trialOf({}, data, 0, 'choice').path,
    trialOf({ streamLabel: 'other' }).path,
    trialOf({ data: { seed: 'other' } as CategoryCell['data'] }).path,
  ];
  expect(new Set(paths).size).toBe(paths.length);
});

it('the data of a trial depend on seed, users, trial and purpose, and on no protocol', () => {
  const source = openDataSource({ kind: 'categories-uniform', domain: 50 }, null);
  const draw = (seed: string, users: number, trial: number, purpose?: TrialPurpose): string =>
    (
      drawData(
        source,
        { holds: 'categories', seed, users, simulation: 'messages' } as unknown as Cell['data'],
        trial,
        purpose,
      ) as CategoricalData
    ).histogram.join(' ');
  const drawn = [
    draw('a', 400, 0),
    draw('b', 400, 0),
    draw('a', 401, 0),
    draw('a', 400, 1),
    draw('a', 400, 0, 'choice'),
  ];
  expect(new Set(drawn).size).toBe(drawn.length);
  expect(draw('a', 400, 0, 'trial')).toBe(drawn[0]);
});
