// A module may fill one array at every call: what it gave before stays, and the checks see every call.
import { expect, it } from 'vitest';
import type { FrequencyOracle } from '@shuffle-dp/core';
import { generalizedRandomizedResponse } from '@shuffle-dp/randomizers';
import { watchedOracle } from '../../src/own-module/watched-oracle.ts';
import { drawnFault } from '../../src/own-randomizer/draw-checks.ts';

const right = generalizedRandomizedResponse({ domain: 4, epsilon0: 1 }) as unknown as FrequencyOracle;

/** What the calls give, always in the same array. */
function inOneArray<Given extends unknown[]>(
  call: (...given: Given) => Float64Array,
): (...given: Given) => Float64Array {
  const array = new Float64Array(4);
  return (...given) => {
    array.set(call(...given));
    return array;
  };
}

it('a right oracle that fills its arrays anew passes', () => {
  const reusing = {
    ...right,
    supportCounts: inOneArray(right.supportCounts),
    sampleSupportCounts: inOneArray(right.sampleSupportCounts),
    estimate: inOneArray(right.estimate),
  };
  expect(drawnFault(watchedOracle(reusing, 'reusing.mjs'))).toBe(null);
});

it('an estimate from a counter is found in an array that is filled anew', () => {
  let counter = 0;
  const estimate = inOneArray((counts: Float64Array, users: number) => {
    counter += 1e-9;
    return right.estimate(counts, users).map((value) => value + counter);
  });
  expect(drawnFault(watchedOracle({ ...right, estimate }, 'counting.mjs'))).toContain(
    'one whose estimate gives the same again',
  );
});

it('a randomizer that writes into the values it is given is refused for that', () => {
  const randomizeInto: FrequencyOracle['randomizeInto'] = (values, messages, stream) => {
    right.randomizeInto(values, messages, stream);
    (values as Uint32Array).fill(0);
  };
  expect(drawnFault({ ...right, randomizeInto })).toBe(
    'one whose randomizeInto leaves the values as they are, not value 1 = 0 for 1',
  );
});
