/** The least sharp bound near some parameters, by the bound itself where estimates mislead. */
import { isSpent, type Work } from '../../allowance.ts';
import type { SharpParameters } from '../input-bound.ts';
import { scaled } from './starting-parameters.ts';

/**
 * Factors of the buffer and its weight; of the tilt a third of it. Towards larger buffers first, of which
 * estimates say too little.
 */
const DESCENT_STEPS = [2, 1.4, 1.15];
/** Each takes about a tenth of a second. */
const MOST_DESCENT = 20;

export interface Bounded {
  readonly value: number;
  readonly parameters: SharpParameters | null;
}

/**
 * The least bound that is found from `start` by the bound itself, step by step. Searches go by estimates,
 * which are far too small where few messages of a buffer hide the victim.
 * @param enough a value below which nothing is gained; @param work that ends it when it is spent
 */
export function descended<B extends Bounded>(
  boundOf: (parameters: SharpParameters) => B,
  start: B,
  users: number,
  enough: number,
  work?: Work,
): B {
  let best = start;
  let evaluations = 0;
  const improves = (buffer: number, kappa: number, theta: number): boolean => {
    if (best.parameters === null || best.value <= enough || isSpent(work)) return false;
    if (evaluations++ >= MOST_DESCENT) return false;
    const bound = boundOf(scaled(best.parameters, users, buffer, kappa, theta));
    if (!(bound.value < best.value)) return false;
    best = bound;
    return true;
  };
  for (const step of DESCENT_STEPS) {
    const tilt = 1 + (step - 1) / 3;
    for (let moved = true; moved;) {
      moved = false;
      for (const [buffer, kappa, theta] of [
        [step, 1, 1],
        [1, 1, 1 / tilt],
        [1, 1, tilt],
        [1 / step, 1, 1],
        [step, 1 / step, 1],
      ] as const)
        if (improves(buffer, kappa, theta)) moved = true;
    }
  }
  return best;
}
