/** Whether the bound F2 of a pair is at most some delta, mostly by Chernoff's bound, which costs little. */
import { Real, type OtherInput, type TypedPair } from '@shuffle-dp/core';
import { saddlePoint, tilt, type TiltedLaw } from '../blanket/exponential-tilt.ts';
import { pointLosses, unsortedLosses } from '../blanket/loss-law.ts';
import { blanketDivergence } from '../blanket/privacy-blanket.ts';
import { isCovered } from './prepared-input.ts';
import { exchangedInput, usualOutputs } from './rare-outputs.ts';

/** The tilt that was the best of a pair like the one that is asked for; 0 before any. */
export interface KnownTilt {
  theta: number;
}

/**
 * Whether F2 of the pair is at most `delta`, mostly by Chernoff's bound.
 * False where the blanket lacks an output of the victim's.
 * @param known is tried first, and written to
 */
export function blanketHolds(
  { inputs, symmetric }: TypedPair,
  users: number,
  epsilon: number,
  delta: number,
  known: KnownTilt = { theta: 0 },
): boolean {
  const { label, victim0, victim1, blanket } = inputs[0]!;
  const one: OtherInput = { label, victim0, victim1, own: blanket, blanket };
  if (!isCovered(one)) return false;
  return (symmetric ? [one] : [one, exchangedInput(one)]).every((order) => {
    const expEpsilon = Real.exp(epsilon);
    const { inputs: usual, charged } = usualOutputs([order], expEpsilon, users, delta);
    const atoms = { ...usual[0]!, others: blanket, symmetric: true };
    if (charged >= delta) return false;
    const left = Real.log(delta - charged);
    if (known.theta > 0 && chernoffLog(users, tilt(unsortedLosses(atoms, expEpsilon), known.theta)) <= left)
      return true;
    const saddle = saddlePoint(pointLosses(atoms, expEpsilon), users);
    if (saddle === null) return true;
    known.theta = saddle.theta;
    const log = chernoffLog(users, saddle);
    if (log <= left) return true;
    if (log > left + aboveBlanket(users, saddle) + LOOSE) return false;
    return (
      blanketDivergence(atoms, users, epsilon, { ends: 'upper', relativeGap: 0.01 }).upper <= delta - charged
    );
  });
}

/** log of Chernoff's bound of F2 at a tilt, from above: (x)_+ <= e^(theta x - 1) / theta. */
export function chernoffLog(
  users: number,
  { theta, logMean, logMeanError }: Pick<TiltedLaw, 'theta' | 'logMean' | 'logMeanError'>,
): number {
  return users * (logMean + logMeanError) - 1 - Real.log(theta * users) + 1e-9;
}

/** By how much Chernoff's bound at the saddle point is above F2 in the logarithm, were the sum normal. */
function aboveBlanket(users: number, { theta, mean, secondMoment }: TiltedLaw): number {
  const deviation = Math.sqrt(users * Math.max(0, secondMoment - mean * mean));
  return Math.max(0, Real.log(theta * deviation * Math.sqrt(2 * Math.PI)) - 1);
}

/** And what few messages may add to that. */
const LOOSE = 0.2;
