/**
 * What a certified lower bound plays: the victim's two laws among given laws of all others, and what one
 * message tells.
 */
import { Real } from '@shuffle-dp/core';

/** The victim's two laws and the laws of all others, on cells. */
export interface Contest {
  readonly first: Float64Array;
  readonly second: Float64Array;
  readonly others: readonly { readonly users: number; readonly masses: Float64Array }[];
}

/** (P - e^epsilon Q) over the mean law of the others; infinite where only the victim can be. */
export function messageGains({ first, second, others }: Contest, epsilon: number): Float64Array {
  const mean = meanLaw(others);
  const expEpsilon = Real.exp(epsilon);
  return first.map((mass, y) => {
    const gain = mass - expEpsilon * second[y]!;
    if (gain === 0) return 0;
    return mean[y]! > 0 ? gain / mean[y]! : Math.sign(gain) * Infinity;
  });
}

/** The law of the message of a random one of the others. */
export function meanLaw(others: Contest['others']): Float64Array {
  const users = others.reduce((sum, group) => sum + group.users, 0);
  const mean = new Float64Array(others[0]!.masses.length);
  for (const group of others) {
    const share = group.users / Math.max(1, users);
    for (let y = 0; y < mean.length; y++) mean[y]! += share * group.masses[y]!;
  }
  return mean;
}
