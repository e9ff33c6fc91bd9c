/** Points of a round's curve where several pairs of the victim's inputs are nearly as bad. */
import { interval, type LikelihoodAtoms, type TypedPair } from '@shuffle-dp/core';
import { describe, expect, test } from 'vitest';
import { blanketDivergence } from '../../../src/blanket/privacy-blanket.ts';
import { upperEnds } from '../../../src/composition/sharp/curve-points.ts';
import { pairDeltaAt } from '../../../src/search/looks/sharp-look.ts';
import { inputsOf } from '../../sharp/matrix-inputs.ts';

const USERS = 10_000;

/** Randomized response on two values that tells the truth with this probability. */
function response(truth: number): { readonly pair: TypedPair; readonly blanket: LikelihoodAtoms } {
  const rows = [
    [truth, 1 - truth],
    [1 - truth, truth],
  ];
  const [victim0, victim1] = rows.map((row) => Float64Array.from(row));
  return {
    pair: { label: `truth ${truth}`, inputs: inputsOf(rows, 0, 1), symmetric: true },
    blanket: {
      label: 'any',
      victim0: victim0!,
      victim1: victim1!,
      others: Float64Array.of(1 - truth, 1 - truth),
      symmetric: true,
    },
  };
}

describe.each([
  ['a little worse', [0.75, 0.7505]],
  ['worse by a tenth', [0.75, 0.76]],
  ['better', [0.75, 0.7]],
  ['each a little worse', [0.75, 0.7505, 0.751, 0.7515, 0.752]],
])('pairs after the first that are %s', (_, truths) => {
  const responses = truths.map(response);
  const typed = { pairs: responses.map(({ pair }) => pair) };
  const blanket = (epsilon: number) =>
    interval(0, Math.max(...responses.map((one) => blanketDivergence(one.blanket, USERS, epsilon).upper)));
  const region = { deviation: 0.012, mean: 0.012 };

  test.each([0.3, 1, 2, 3])('are below the point at %d deviations', (share) => {
    const epsilon = share * region.deviation;
    const work = { sines: 0 };
    const upperAt = upperEnds({ typed, users: USERS, blanket, region, work });
    const { upper, served } = upperAt(epsilon);
    expect(upper).toBeLessThan(blanket(epsilon).upper);
    const ends = typed.pairs.map((pair) => pairDeltaAt(pair, USERS, epsilon, upper, served!.worst).value);
    // With one pair's parameters another's bound is a proof as well: none of these may be above the point.
    for (const end of ends) expect(upper).toBeGreaterThanOrEqual(end / TOLD_SLACK);
    expect(upper).toBeLessThan(Math.max(...ends) * 1.15);
    expect(work.sines).toBeGreaterThan(0);
  });
});

/** A sketchier look may prove somewhat less than a fine one of the same parameters. */
const TOLD_SLACK = 1.0001;
