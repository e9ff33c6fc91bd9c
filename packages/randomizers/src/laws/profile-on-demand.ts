/**
 * A profile whose parts are computed when they are asked for, and kept. Searches over budgets make hundreds
 * of randomizers, and look at the published parameters of some, at the blanket of others, and at data sets
 * and types of the last one only.
 */
import {
  onDemand,
  type AmplificationProfile,
  type LikelihoodAtoms,
  type TypedInputs,
} from '@shuffle-dp/core';

/** Each is computed once, if at all. */
export interface ProfileParts {
  blanket(): readonly LikelihoodAtoms[];
  homogeneous(): readonly LikelihoodAtoms[];
  /** Undefined where the types are not known. */
  typed?(): TypedInputs | undefined;
}

/**
 * @example profileOnDemand(null, { blanket: () => [], homogeneous: () => [] }).blanket.length // 0
 */
export function profileOnDemand(
  variationRatio: AmplificationProfile['variationRatio'],
  parts: ProfileParts,
): AmplificationProfile {
  const blanket = onDemand(() => parts.blanket());
  const homogeneous = onDemand(() => parts.homogeneous());
  const typed = onDemand(() => parts.typed?.());
  return Object.freeze({
    variationRatio,
    get blanket() {
      return blanket();
    },
    get homogeneous() {
      return homogeneous();
    },
    get typed() {
      return typed();
    },
  });
}
