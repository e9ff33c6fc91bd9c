/** The other way round: the least epsilon at which some protocol errs no more than one can accept. */
import { bracketRoot, ParameterError, Real, onceEach } from '@shuffle-dp/core';
import { leastVariant, type PlannedProtocol } from './assess.ts';
import { candidates, type Candidate } from './candidates.ts';
import { plan, type Plan } from './plan.ts';
import { checkPlanSetting, type PlanSetting } from './plan-setting.ts';
import { byBlanketAlone } from './row-accounting.ts';

/** No smaller epsilon is looked at. */
export const LEAST_PLANNED_EPSILON = 0.01;
/** Where the search begins, and where it ends. */
const [FIRST, MOST] = [1, 16];
/** Relative width of the answer; a leader that errs so little less than is asked reaches it at no less. */
const [CLOSE, ABOUT] = [0.002, 0.005];
/** Protocols that the search follows; the rest is looked at again where it ends. */
const FOLLOWED = 3;
const MOST_ROUNDS = 4;

/**
 * The plan at the least epsilon from 0.01 on, to 0.2 %, at which some protocol errs no more than `error`.
 * @throws ParameterError as `plan`, where no epsilon up to 16 is enough, for a task whose errors are
 * simulated, and where users stay away
 */
export function planForError(setting: Omit<PlanSetting, 'epsilon'>, error: number): Plan {
  if (!(error > 0)) throw new ParameterError('error', error, 'positive');
  if (setting.task === 'heavy-hitters')
    throw new ParameterError(
      'error',
      error,
      `left out for the task ${setting.task}: its errors are simulated`,
    );
  if ((setting.threats?.dropout ?? 0) > 0)
    throw new ParameterError('error', error, 'left out where users stay away: errors are those of all users');
  checkPlanSetting({ ...setting, epsilon: FIRST });
  const all = candidates(setting.task);
  const followed = leaders(all.map(quick), { ...setting, epsilon: FIRST }).map(({ candidate }) => candidate);
  let epsilon = FIRST;
  for (let round = 1; ; round++) {
    epsilon = leastEpsilon(followed, setting, error, epsilon);
    const found = plan({ ...setting, epsilon });
    const { spec, protocol, trust, ...best } = found.rows[0]!;
    const isLeast = epsilon === LEAST_PLANNED_EPSILON || best.error >= (1 - ABOUT) * error;
    const isFollowed = followed.some((candidate) => hasVariant(candidate, spec));
    if (isLeast || round === MOST_ROUNDS) return found;
    // One that a plan alone finds, by the sharp bound or with another number, is followed as it was found.
    const leading = isFollowed
      ? belowLimits(all, followed, { ...setting, epsilon: epsilon * (1 - 2 * CLOSE) }, error)
      : (all.find((candidate) => hasVariant(candidate, spec)) ?? {
          title: protocol,
          trust,
          variants: [spec],
        });
    if (leading === null) return found;
    followed.push(leading);
  }
}

/**
 * Where those that are followed err far less than asked, and at less epsilon exceed the limits: another one
 * that errs no more than asked there, or null.
 */
function belowLimits(
  all: readonly Candidate[],
  followed: readonly Candidate[],
  setting: PlanSetting,
  error: number,
): Candidate | null {
  const others = all.filter(({ title }) => followed.every((candidate) => candidate.title !== title));
  const [best] = leaders(others.map(quick), setting);
  return best !== undefined && best.error <= error ? best.candidate : null;
}

/** By the blanket, which leads near the epsilon. */
function quick(candidate: Candidate): Candidate {
  return { ...candidate, variants: candidate.variants.map(byBlanketAlone) };
}

function hasVariant({ variants }: Candidate, spec: PlannedProtocol['spec']): boolean {
  const sought = JSON.stringify(spec);
  return variants.some((variant) => JSON.stringify(variant) === sought);
}

/**
 * Each with the variant alone that errs least; within limits with all, since smaller epsilons need others to
 * keep them.
 */
function leaders(
  all: readonly Candidate[],
  setting: PlanSetting,
): readonly { readonly candidate: Candidate; readonly error: number }[] {
  return all
    .flatMap((candidate) => {
      const least = leastVariant(candidate, setting);
      return least ? [{ ...least, candidate: setting.limits ? candidate : least.candidate }] : [];
    })
    .toSorted((a, b) => a.error - b.error)
    .slice(0, FOLLOWED);
}

/**
 * Errors fall about like the inverse square of epsilon: so far beyond the root that leads to lies the other
 * end.
 */
const [INVERSE_SQUARE, BEYOND] = [2, 0.1];

function leastEpsilon(
  followed: readonly Candidate[],
  setting: Omit<PlanSetting, 'epsilon'>,
  error: number,
  start: number,
): number {
  const excess = onceEach((logEpsilon) =>
    Real.log(leastError(followed, { ...setting, epsilon: Real.exp(logEpsilon) }) / error),
  );
  const [least, most] = [Real.log(LEAST_PLANNED_EPSILON), Real.log(MOST)];
  const within = (logEpsilon: number): number => Math.min(most, Math.max(least, logEpsilon));
  let inside = within(Real.log(start));
  while (excess(inside) > 0) {
    if (inside === most)
      throw new ParameterError(
        'error',
        error,
        `larger: at epsilon ${MOST} the best one errs ${(error * Real.exp(excess(most))).toPrecision(3)}`,
      );
    inside = within(inside + Math.min(LONGEST, excess(inside) / INVERSE_SQUARE + BEYOND));
  }
  let outside = inside;
  while (excess(outside) <= 0) {
    if (outside === least) return LEAST_PLANNED_EPSILON;
    outside = within(outside - Math.min(LONGEST, -excess(outside) / INVERSE_SQUARE + BEYOND));
  }
  return Real.exp(bracketRoot(excess, outside, inside, { absoluteTolerance: CLOSE }).upper);
}

/** Of one step, in the logarithm of epsilon: beyond, errors follow other laws. */
const LONGEST = 1.5;
/** What no search can confuse with an error. */
const REFUSED = 1e300;

/** No protocol meets some small epsilons. */
function leastError(followed: readonly Candidate[], setting: PlanSetting): number {
  const errors = followed.map((candidate) => leastVariant(candidate, setting)?.error ?? Infinity);
  return Math.min(REFUSED, ...errors);
}
