/**
 * The error of a search for heavy hitters, which has no closed form, by a few trials on identifiers by Zipf's
 * law.
 */
import { keptByKey, meanErrorInterval, RandomStream, RunningMoments, type Interval } from '@shuffle-dp/core';
import type {
  HeavyHitterProtocol,
  HeavyHitterSetting,
  IdentifierCounts,
  IdentifierData,
} from '@shuffle-dp/protocols';
import { syntheticIdentifiers } from '../data/synthetic-identifiers.ts';
import { leastRelativeVariance } from '../trials/error-measure.ts';

export type SearchShape = Pick<HeavyHitterSetting, 'users' | 'bits' | 'top'>;

/** Of identifiers that users hold, at most, and how unevenly. */
const MOST_DIFFERENT = 10_000;
export const ZIPF_EXPONENT = 1.1;
/** Enough for an error's order: where whole identifiers are missed, errors spread by twice their mean. */
export const PLAN_TRIALS = 12;

export function differentIdentifiers(bits: number): number {
  return Math.min(2 ** bits, MOST_DIFFERENT);
}

/** What all protocols are tried on, trial by trial. */
interface TrialData {
  readonly data: IdentifierData;
  readonly top: readonly (readonly [identifier: number, holders: number])[];
}

const latest = keptByKey<readonly TrialData[]>(1);

/** Drawn once for the protocols of a plan. */
function trialData({ users, bits, top }: SearchShape): readonly TrialData[] {
  return latest(`${users} ${bits} ${top}`, () => {
    const source = syntheticIdentifiers(bits, differentIdentifiers(bits), ZIPF_EXPONENT);
    return Array.from({ length: PLAN_TRIALS }, (_, trial) => {
      const data = source.draw(users, 'aggregated', streamOf(trial).fork('data'));
      return { data, top: trueTop(data.counts!, top) };
    });
  });
}

function streamOf(trial: number): RandomStream {
  return RandomStream.fromSeed('plan').fork(`trial ${trial}`);
}

/**
 * Mean over the trials of the sum over the true top of squared errors, a missed one being estimated as 0, as
 * a run measures it, with the 95 % interval that a run gives it. Trials have streams of their own, and all
 * protocols the same data in each.
 */
export function simulatedError(
  protocol: HeavyHitterProtocol,
  shape: SearchShape,
): { readonly value: number; readonly interval: Interval } {
  const errors = new RunningMoments();
  trialData(shape).forEach(({ data, top }, trial) => {
    const { identifiers, frequencies } = protocol.find(data, streamOf(trial).fork('search'), 'aggregated');
    const found = new Map(Array.from(identifiers, (identifier, i) => [identifier, frequencies[i]!]));
    errors.add(
      top.reduce(
        (sum, [identifier, holders]) => sum + ((found.get(identifier) ?? 0) - holders / shape.users) ** 2,
        0,
      ),
    );
  });
  const least = leastRelativeVariance('total-squared', shape.top);
  return { value: errors.mean, interval: meanErrorInterval(errors, least) };
}

/** Of equal counts the earlier of the list comes first, as in a run. */
function trueTop(
  { identifiers, holders }: IdentifierCounts,
  top: number,
): readonly (readonly [identifier: number, holders: number])[] {
  return Array.from(identifiers, (_, i) => i)
    .filter((i) => holders[i]! > 0)
    .sort((a, b) => holders[b]! - holders[a]! || a - b)
    .slice(0, top)
    .map((i) => [identifiers[i]!, holders[i]!]);
}
