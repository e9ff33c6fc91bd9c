/** What is made of a buffer's draws at a weight of their gains: one weight is asked for many times. */
import { onceEachObject } from '@shuffle-dp/core';

/** Of each law what was made without gains, and what was made at the weight that was asked for last. */
export function keptByWeight<Made>(): (law: object, weight: number, make: () => Made) => Made {
  const known = onceEachObject((_law: object): { plain?: Made; last?: Made; weight: number } => ({
    weight: 0,
  }));
  return (law, weight, make) => {
    const kept = known(law);
    if (weight === 0) return (kept.plain ??= make());
    if (kept.weight !== weight) [kept.weight, kept.last] = [weight, make()];
    return kept.last!;
  };
}
