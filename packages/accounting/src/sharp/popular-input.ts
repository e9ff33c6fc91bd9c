/**
 * The pigeonhole bound (docs/sharp-bound.md, Theorem 5): of so many inputs one is held by its share of the
 * other users at least. Telling the adversary all messages but theirs leaves equal users (F1). Sharp where
 * the blanket is tiny: large local budgets over few inputs.
 */
import type { LikelihoodAtoms, TypedInputs } from '@shuffle-dp/core';
import { blanketDivergence, LARGEST_EPSILON } from '../blanket/privacy-blanket.ts';
import { certifiedDelta, certifiedEpsilon } from '../one-round.ts';

/** Null where the inputs cannot be counted. */
export function popularInputUsers({ domain }: TypedInputs, users: number): number | null {
  return domain === undefined ? null : 1 + Math.ceil((users - 1) / domain);
}

/** Of divergences that only tell whether anything is to be gained; and that an epsilon is read from. */
const [ROUGH_GAP, CLOSE_GAP] = [0.1, 5e-4];

/** What is known of a divergence that is asked for. */
export interface PopularInputHints {
  /** From this epsilon on there is none. */
  readonly epsilon0: number;
  /** Given where it is only asked whether it is below: a bound that surely is above need not be close. */
  readonly target?: number;
}

/** Upper bound of the divergence at epsilon for every data set; 1 where the inputs cannot be counted. */
export function popularInputDelta(
  typed: TypedInputs,
  users: number,
  epsilon: number,
  { epsilon0, target = 0 }: PopularInputHints,
): number {
  const hiding = popularInputUsers(typed, users);
  if (hiding === null) return 1;
  const profile = { variationRatio: null, blanket: equalUsers(typed), homogeneous: [] };
  if (target > 0) {
    const hints = { epsilon0, relativeGap: ROUGH_GAP };
    const rough = certifiedDelta(profile, hiding, epsilon, hints).upper;
    if (rough <= target || rough > (1 + ROUGH_GAP) * target) return rough;
  }
  return certifiedDelta(profile, hiding, epsilon, { epsilon0 }).upper;
}

/**
 * Upper bound of the smallest epsilon at `delta`; infinity where the inputs cannot be counted, or where one
 * look shows that it is above `known`.
 * @param known an upper bound that is known already, at most `epsilon0`
 */
export function popularInputEpsilon(
  typed: TypedInputs,
  users: number,
  delta: number,
  { epsilon0, known }: { readonly epsilon0: number; readonly known: number },
): number {
  const hiding = popularInputUsers(typed, users);
  if (hiding === null) return Infinity;
  const equal = equalUsers(typed);
  const isAbove = (atoms: LikelihoodAtoms): boolean =>
    blanketDivergence(atoms, hiding, known, { ends: 'lower', relativeGap: ROUGH_GAP }).lower > delta;
  if (known < Math.min(epsilon0, LARGEST_EPSILON) && equal.some(isAbove)) return Infinity;
  const profile = { variationRatio: null, blanket: equal, homogeneous: [] };
  return certifiedEpsilon(profile, hiding, delta, { epsilon0, relativeGap: CLOSE_GAP }).upper;
}

/** Of a symmetric pair all types are listed: one order of the victim's inputs is enough for each. */
function equalUsers({ pairs }: TypedInputs): LikelihoodAtoms[] {
  return pairs.flatMap(({ inputs, symmetric }) =>
    inputs.map(({ label, victim0, victim1, own, hidden = 0 }) => ({
      label,
      victim0,
      victim1,
      others: own,
      silent: hidden,
      symmetric,
    })),
  );
}
