/**
 * Parameters of the sharp bound among few users, by the bound itself: estimates go by normal laws, which say
 * of a handful of messages that they hide nothing where they do. Any parameters give a bound, so nothing here
 * has to be certain.
 */
import { isSpent, type Work } from '../../allowance.ts';
import type { SharpParameters } from '../input-bound.ts';
import { hasGains, type PreparedInput } from '../prepared-input.ts';
import { descended, type Bounded } from './descent.ts';
import { guess, scaled } from './starting-parameters.ts';

/** Each look takes some milliseconds among so many users, of so many inputs. */
const [FEW_USERS, FEW_INPUTS] = [40, 8];

/**
 * Shares of the users in the buffer, and factors of the weight and the tilt that many users would have: of
 * few, gains have far too heavy tails for that tilt.
 */
const GRID = { share: [0, 0.25, 0.45, 0.65], kappa: [0.7, 1.2], theta: [0.2, 0.32, 0.5] } as const;

export function areFewToTry(inputs: readonly unknown[], users: number): boolean {
  return users <= FEW_USERS && inputs.length <= FEW_INPUTS;
}

/** Times the target from which no steps lead to it. */
const FAR_ABOVE = 1.6;

/**
 * The least bound from a grid, and from steps around it unless it is far above the target; null where no
 * input has gains.
 * @param work that ends it when it is spent
 */
export function leastAmongFew<B extends Bounded>(
  boundOf: (parameters: SharpParameters) => B,
  inputs: readonly PreparedInput[],
  {
    users,
    target,
    work,
  }: { readonly users: number; readonly target: number; readonly work?: Work | undefined },
): B | null {
  const input = inputs.find(hasGains);
  if (input === undefined) return null;
  const start = guess(input, users);
  const kappas = input.hasPlacesInBuffer ? GRID.kappa : [1];
  let best: B | null = null;
  for (const share of GRID.share)
    for (const kappa of kappas)
      for (const theta of GRID.theta) {
        if (isSpent(work)) return best;
        const bound = boundOf(scaled({ ...start, buffer: share * users }, users, 1, kappa, theta));
        if (best === null || bound.value < best.value) best = bound;
      }
  return best && best.value < FAR_ABOVE * target ? descended(boundOf, best, users, 0, work) : best;
}
