/**
 * What accountants need of protocols in which messages that depend on no input hide the victim's: each such
 * message is a slot of formula F1 (docs/soundness.md), so the atoms are exact. Other users' data messages are
 * left out, which is post-processing from above and a data set without other users from below. Parameters as
 * in Table 4 of Wang et al., PVLDB 17(8), 2024.
 */
import {
  exactProduct,
  from,
  integer,
  minus,
  ParameterError,
  requireOpenUnit,
  type AmplificationProfile,
  type MechanismModel,
  type ParameterValues,
  type VariationRatio,
} from '@shuffle-dp/core';

/** What --users counts: for these mechanisms, slots. */
export const BLANKETS_AND_VICTIM = "the victim's message and all blanket messages";

export const BINS = integer('bins', from(2), from(2 ** 32), 'number of bins d');

/** Bounds for local randomizers do not hold: what hides the victim is not made by one. */
export function hiddenByBlankets(
  amplification: AmplificationProfile,
  parameters: ParameterValues,
): MechanismModel {
  return { epsilon0: Infinity, amplification, parameters, othersHideOnly: true };
}

/** Mass of an outcome under the victim's first and second input, and in a blanket message. */
type Outcome = readonly [victim0: number, victim1: number, blanket: number];

function exactProfile(
  variationRatio: VariationRatio,
  outcomes: readonly Outcome[],
  symmetric = true,
): AmplificationProfile {
  const atoms = {
    label: 'blanket messages alone',
    victim0: Float64Array.from(outcomes, ([first]) => first),
    victim1: Float64Array.from(outcomes, ([, second]) => second),
    others: Float64Array.from(outcomes, ([, , blanket]) => blanket),
    silent: 0,
    symmetric,
  };
  return { variationRatio, blanket: [atoms], homogeneous: [atoms] };
}

/**
 * Data in the clear among uniform messages: pureDUMP (Li et al. 2023) for one special bin, balls into bins
 * (Luo, Wang and Yi 2022) for more, where a value has `special` of the bins for its own.
 * @throws ParameterError
 * @example uniformBinsProfile(16).variationRatio // { p: Infinity, beta: 1, q: 16 }
 */
export function uniformBinsProfile(bins: number, special = 1): AmplificationProfile {
  if (!(bins >= 2)) throw new ParameterError('bins', bins, 'an integer of at least 2');
  if (!(special >= 1 && 2 * special <= bins))
    throw new ParameterError('special', special, `an integer from 1 to bins / 2 = ${bins / 2}`);
  const share = special / bins;
  return exactProfile({ p: Infinity, beta: 1, q: bins / special }, [
    [1, 0, share],
    [0, 1, share],
    [0, 0, 1 - 2 * share],
  ]);
}

/**
 * mixDUMP (Li et al. 2023): data by randomized response that leaves its bin with probability `flip`.
 *
 * @throws ParameterError
 * @example mixDumpProfile(0.25, 16).variationRatio // { p: 45, pMinusOne: 44, beta: 0.733333, q: 12 }
 */
export function mixDumpProfile(flip: number, bins: number): AmplificationProfile {
  if (!(bins >= 2)) throw new ParameterError('bins', bins, 'an integer of at least 2');
  const most = (bins - 1) / bins;
  if (!(flip > 0 && flip < most))
    throw new ParameterError('flip', flip, `in (0, (bins - 1) / bins) = (0, ${most})`);
  const keep = 1 - flip;
  const other = flip / (bins - 1);
  // keep - other, which near the largest flip are the same number: (bins - 1 - flip bins) / (bins - 1).
  const beta = minus(bins - 1, exactProduct(flip, bins)) / (bins - 1);
  return exactProfile({ p: keep / other, pMinusOne: beta / other, beta, q: keep * bins }, [
    [keep, other, 1 / bins],
    [other, keep, 1 / bins],
    ...(bins > 2 ? [[other * (bins - 2), other * (bins - 2), (bins - 2) / bins] as const] : []),
  ]);
}

/**
 * Cheu and Zhilyaev (S&P 2022): one-hot data, and zeros, with every bit flipped. Two bits tell the victim's
 * inputs apart; the pair of Table 4 merges (0, 0) with (1, 1), which are not alike. @throws ParameterError
 *
 * @example flippedBitsProfile(0.25).variationRatio // { p: 9, pMinusOne: 8, beta: 0.5, q: 3 }
 */
export function flippedBitsProfile(flip: number): AmplificationProfile {
  if (!(flip > 0 && flip < 0.5)) throw new ParameterError('flip', flip, 'in (0, 1/2)');
  const keep = 1 - flip;
  const mixed = keep * flip;
  const beta = 1 - 2 * flip;
  return exactProfile({ p: (keep / flip) ** 2, pMinusOne: beta / flip ** 2, beta, q: keep / flip }, [
    [keep * keep, flip * flip, mixed],
    [flip * flip, keep * keep, mixed],
    [mixed, mixed, keep * keep],
    [mixed, mixed, flip * flip],
  ]);
}

/**
 * Balcer and Cheu (ITC 2020): a bit in the clear among coins that show 1 with probability `coin`.
 *
 * @throws ParameterError
 * @example coinsProfile(0.5).variationRatio // { p: Infinity, beta: 1, q: 2 }
 */
export function coinsProfile(coin: number): AmplificationProfile {
  requireOpenUnit('coin', coin);
  const outcomes: Outcome[] = [
    [1, 0, coin],
    [0, 1, 1 - coin],
  ];
  return exactProfile({ p: Infinity, beta: 1, q: 1 / Math.min(coin, 1 - coin) }, outcomes, coin === 0.5);
}

/**
 * Balls into bins by hashing (Luo, Wang and Yi, CCS 2022): a bin is a hash function with one of its
 * `buckets`, and the bins special to a value are those of the value's own buckets, one for every function of
 * a pairwise uniform family. Functions that put the victim's two values into one bucket tell nothing, for
 * which beta = 1 of Table 4 has no room.
 *
 * @example hashedBinsProfile(7).variationRatio // { p: Infinity, beta: 1, q: 7 }
 */
export function hashedBinsProfile(buckets: number): AmplificationProfile {
  const share = 1 / buckets;
  const apart = 1 - share;
  return exactProfile({ p: Infinity, beta: 1, q: buckets }, [
    [apart, 0, apart * share],
    [0, apart, apart * share],
    [share, share, share * share],
    [0, 0, apart * (1 - 2 * share) + share * apart],
  ]);
}
