/** The other way round: the least epsilon at which some protocol errs no more than one can accept. */
import { bracketRoot, ParameterError } from '@shuffle-dp/core';
import { candidates, type Candidate } from './candidates.ts';
import { plan, planAmong, type Plan } from './plan.ts';
import type { PlanSetting } from './plan-setting.ts';

/** Epsilons between which it is looked for, and where the search begins. */
const [LEAST, FIRST, MOST] = [0.01, 1, 16];
/** Relative width of the answer. */
const CLOSE = 0.002;
/** Protocols that the search follows; the rest is looked at again where it ends. */
const FOLLOWED = 3;
const MOST_ROUNDS = 4;

/**
 * The plan at the least epsilon, to 0.2 %, at which some protocol errs no more than `error`.
 * @throws ParameterError as `plan`, and where no epsilon up to 16 is enough
 */
export function planForError(setting: Omit<PlanSetting, 'epsilon'>, error: number): Plan {
  if (!(error > 0)) throw new ParameterError('error', error, 'positive');
  const all = candidates(setting.task);
  const followed = new Set<Candidate>();
  let found = plan({ ...setting, epsilon: FIRST });
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const best = found.rows.slice(0, FOLLOWED).map(({ spec }) => spec);
    const leading = all.filter((candidate) => leads(candidate, best));
    if (leading.every((candidate) => followed.has(candidate))) return found;
    for (const candidate of leading) followed.add(candidate);
    found = plan({ ...setting, epsilon: leastEpsilon([...followed], setting, error) });
  }
  return found;
}

/** Specs are made anew with the candidates, and told apart by what they say. */
function leads({ variants }: Candidate, best: readonly object[]): boolean {
  const named = new Set(best.map((spec) => JSON.stringify(spec)));
  return variants.some((variant) => named.has(JSON.stringify(variant)));
}

function leastEpsilon(
  followed: readonly Candidate[],
  setting: Omit<PlanSetting, 'epsilon'>,
  error: number,
): number {
  const excess = (logEpsilon: number): number =>
    Math.log(leastError(followed, { ...setting, epsilon: Math.exp(logEpsilon) }) / error);
  const most = Math.log(MOST);
  if (excess(most) > 0) {
    const least = leastError(followed, { ...setting, epsilon: MOST });
    throw new ParameterError(
      'error',
      error,
      `larger: at epsilon ${MOST} the best one errs ${least.toPrecision(3)}`,
    );
  }
  const least = Math.log(LEAST);
  if (excess(least) <= 0) return LEAST;
  return Math.exp(bracketRoot(excess, least, most, { absoluteTolerance: CLOSE }).upper);
}

/** What no search can confuse with an error. */
const REFUSED = 1e300;

function leastError(followed: readonly Candidate[], setting: PlanSetting): number {
  try {
    return planAmong(followed, setting).rows[0]!.error;
  } catch (error) {
    // No protocol meets so small an epsilon.
    if (error instanceof ParameterError) return REFUSED;
    throw error;
  }
}
