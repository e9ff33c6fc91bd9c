/**
 * Sets like those of the MSNBC users, from the fitted mixture: draw a class; draw the smallest member by its
 * own law; then every later category independently. No set is ever empty, so nothing is rejected.
 */
import { aliasTable, type RandomStream } from '@shuffle-dp/core';
import type { RawSets, SetProfile } from '../item-sets/item-sets.ts';
import { CLASS_CATEGORIES, CLASS_WEIGHTS, MSNBC_CATEGORIES } from './msnbc-mixture.ts';

const DOMAIN = MSNBC_CATEGORIES.length;
/** Probabilities as thresholds of 32-bit words: exact to 2^-33. */
const WORDS = 2 ** 32;

/** Weight of category j as the smallest member of a set of this class. */
function smallestMemberWeights(theta: readonly number[]): number[] {
  let noneBefore = 1;
  return theta.map((probability) => {
    const weight = probability * noneBefore;
    noneBefore *= 1 - probability;
    return weight;
  });
}

export function msnbcLikeSets(): RawSets {
  const classes = aliasTable(CLASS_WEIGHTS);
  const smallest = CLASS_CATEGORIES.map((theta) => aliasTable(smallestMemberWeights(theta)));
  const thresholds = Float64Array.from(CLASS_CATEGORIES.flat(), (theta) => Math.round(theta * WORDS));
  return {
    domain: DOMAIN,
    largest: DOMAIN,
    available: null,
    profile: mixtureProfile(),
    law: mixtureLaw,
    open(_users: number, stream: RandomStream) {
      return (target) => {
        const k = classes.sample(stream);
        const first = smallest[k]!.sample(stream);
        target[0] = first;
        let size = 1;
        const row = k * DOMAIN;
        for (let j = first + 1; j < DOMAIN; j++) {
          if (stream.nextUint32() < thresholds[row + j]!) target[size++] = j;
        }
        return size;
      };
    },
  };
}

/** Exact probability of every set, by its categories as bits. */
function mixtureLaw(): Float64Array {
  const law = new Float64Array(2 ** DOMAIN);
  const ofClass = new Float64Array(2 ** DOMAIN);
  const totalWeight = CLASS_WEIGHTS.reduce((sum, weight) => sum + weight, 0);
  CLASS_CATEGORIES.forEach((theta, k) => {
    const notEmpty = smallestMemberWeights(theta).reduce((sum, weight) => sum + weight, 0);
    ofClass[0] = CLASS_WEIGHTS[k]! / totalWeight / notEmpty;
    // Sets of the first categories, and then each of them with and without the next one.
    theta.forEach((probability, category) => {
      const known = 2 ** category;
      for (let mask = 0; mask < known; mask++) {
        ofClass[known + mask] = ofClass[mask]! * probability;
        ofClass[mask] = ofClass[mask]! * (1 - probability);
      }
    });
    for (let mask = 1; mask < law.length; mask++) law[mask] = law[mask]! + ofClass[mask]!;
  });
  return law;
}

/** Exact probabilities of sizes, and of holding each category at each size. */
function mixtureProfile(): SetProfile {
  const sizes = new Float64Array(DOMAIN + 1);
  const holders = Array.from({ length: DOMAIN }, () => new Float64Array(DOMAIN + 1));
  const totalWeight = CLASS_WEIGHTS.reduce((sum, weight) => sum + weight, 0);
  CLASS_CATEGORIES.forEach((theta, k) => {
    const all = sizeDistribution(theta);
    const scale =
      CLASS_WEIGHTS[k]! / totalWeight / smallestMemberWeights(theta).reduce((sum, w) => sum + w, 0);
    for (let size = 1; size <= DOMAIN; size++) sizes[size]! += scale * all[size]!;
    theta.forEach((probability, item) => {
      const others = sizeDistribution(theta.filter((_, j) => j !== item));
      for (let size = 1; size <= DOMAIN; size++)
        holders[item]![size]! += scale * probability * others[size - 1]!;
    });
  });
  return { sizes, holders };
}

/** The law of the number of successes of independent trials. */
function sizeDistribution(probabilities: readonly number[]): Float64Array {
  const law = new Float64Array(probabilities.length + 1);
  law[0] = 1;
  probabilities.forEach((probability, trials) => {
    for (let size = trials + 1; size > 0; size--) {
      law[size] = law[size]! * (1 - probability) + law[size - 1]! * probability;
    }
    law[0]! *= 1 - probability;
  });
  return law;
}
