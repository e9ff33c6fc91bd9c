/** The bound of a pair with parameters that are chosen by the bound itself, for its worst inputs together. */
import type { TypedPair } from '@shuffle-dp/core';
import { leastOf } from '../pair-bound.ts';
import { boundAt, hidingUsers, preparedInputs, type SharpBound } from '../pair-inputs.ts';
import { polishedNear, worstBound } from './polish.ts';

/** With better parameters near those of a bound. Inputs that are worse there join the ones they are for. */
export function polishedDelta(
  pair: TypedPair,
  all: number,
  epsilon: number,
  target: number,
  bound: SharpBound,
): SharpBound {
  const hiding = hidingUsers(pair, all, target);
  const { users, missed } = hiding;
  const labelled = preparedInputs(pair, users, epsilon, target)!;
  const labels = new Set<string>();
  let [best, last] = [bound, bound];
  while (labels.size < MOST_JOINED && !labels.has(last.worst)) {
    labels.add(last.worst);
    const inputs = labelled.filter(({ label }) => labels.has(label)).map(({ prepared }) => prepared);
    const given = { inputs, users, missed, target };
    const at = best.parameters!;
    const start = { parameters: at, value: worstBound(given, at) };
    const parameters = polishedNear(given, start, { isOff: true, closely: true });
    last = boundAt(labelled, hiding, parameters, target);
    best = leastOf(best, last);
  }
  return best;
}

/** Inputs for which parameters are chosen. */
const MOST_JOINED = 2;
