/**
 * Which events an audit judges: chosen on some trials, which are not used again. A data set, a score and a
 * threshold for every delta and either order of the two worlds.
 */
import { lastWhere } from '@shuffle-dp/core';
import { roughEpsilon } from './measured-epsilon.ts';
import { LIKELIHOOD_RATIO, type OthersHold, type World } from './views.ts';

/** The score, or less it for the second world, is at least the threshold. */
export interface AuditEvent {
  readonly delta: number;
  /** The world that it speaks for. */
  readonly favours: World;
  readonly dataSet: OthersHold;
  /** One pair of inputs, or null for all in turn. */
  readonly pair: number | null;
  readonly score: number;
  readonly threshold: number;
}

/** Scores of the trials to choose on, of one data set and pair. */
export interface ChoiceTrials {
  readonly dataSet: OthersHold;
  readonly pair: number;
  /** By world, then by score. */
  readonly scores: readonly [readonly Float64Array[], readonly Float64Array[]];
}

/**
 * A single pair, or a score that is no likelihood ratio, is judged where it stands out from the trials to
 * choose on by so many deviations.
 */
const STANDS_OUT = 3.5;

interface RatedEvent {
  readonly event: AuditEvent;
  /** What it would show, about. */
  readonly epsilon: number;
}

/**
 * Two events for each delta, one for either world. All on one data set, so that the same trials judge them,
 * but for pairs of inputs that stand out.
 * @param trials that judge, of each world
 * @param deviations that the error of one event allows
 * @param hasRatio whether the first score is the logarithm of the likelihood ratio; without it all scores are
 * only counted
 */
export function chooseEvents(
  deltas: readonly number[],
  choices: readonly ChoiceTrials[],
  trials: number,
  deviations: number,
  hasRatio: boolean,
): AuditEvent[] {
  const asked = deltas.flatMap((delta) => ([0, 1] as const).map((favours) => ({ delta, favours })));
  const dataSets = [...new Set(choices.map(({ dataSet }) => dataSet))].map((dataSet) => {
    const among = choices.filter((choice) => choice.dataSet === dataSet);
    const best = asked.map(({ delta, favours }) =>
      bestEvent(among, null, { delta, favours }, { trials, deviations }, hasRatio),
    );
    return { best, worth: best.reduce((sum, { epsilon }) => sum + Math.max(0, epsilon), 0) };
  });
  const { best: usual } = dataSets.reduce((a, b) => (b.worth > a.worth ? b : a));
  return asked.map(({ delta, favours }, i) => {
    let chosen = usual[i]!;
    for (const choice of choices) {
      const alone = bestEvent([choice], choice.pair, { delta, favours }, { trials, deviations }, true);
      if (alone.epsilon > chosen.epsilon) chosen = alone;
    }
    return chosen.event;
  });
}

function bestEvent(
  among: readonly ChoiceTrials[],
  pair: number | null,
  { delta, favours }: Pick<AuditEvent, 'delta' | 'favours'>,
  { trials, deviations }: { readonly trials: number; readonly deviations: number },
  hasRatio: boolean,
): RatedEvent {
  let best: RatedEvent | undefined;
  among[0]!.scores[0].forEach((_, score) => {
    const inFavour = signedScores(among, favours, favours, score);
    const against = signedScores(among, favours === 0 ? 1 : 0, favours, score);
    const isRatio = hasRatio && score === LIKELIHOOD_RATIO && pair === null;
    const shares = isRatio ? sharesByRatio(inFavour, against) : sharesCounted(inFavour, against);
    // What is only counted must stand out from its own noise, of which the best of many thresholds has the
    // most.
    const [judging, allowance] = isRatio || !hasRatio ? [trials, deviations] : [inFavour.length, STANDS_OUT];
    for (const threshold of candidates(inFavour)) {
      const [own, other] = shares(threshold);
      const epsilon = roughEpsilon(own, other, judging, delta, allowance);
      if (best !== undefined && epsilon <= best.epsilon) continue;
      best = { event: { delta, favours, dataSet: among[0]!.dataSet, pair, score, threshold }, epsilon };
    }
  });
  return best!;
}

/** Shares of the trials of either world whose score is at least the threshold. */
type Shares = (threshold: number) => readonly [inFavour: number, against: number];

function sharesCounted(inFavour: Float64Array, against: Float64Array): Shares {
  const share = (sorted: Float64Array, threshold: number): number =>
    (sorted.length - firstFrom(sorted, threshold)) / sorted.length;
  return (threshold) => [share(inFavour, threshold), share(against, threshold)];
}

/**
 * Where the score is the logarithm of the likelihood ratio, a view of score s is e^s times as likely in one
 * world as in the other. So each trial of either world tells of both, and the ratio of the shares, which
 * decides, has little noise.
 */
function sharesByRatio(inFavour: Float64Array, against: Float64Array): Shares {
  const all = new Float64Array(inFavour.length + against.length);
  all.set(inFavour);
  all.set(against, inFavour.length);
  all.sort();
  const [own, other] = [new Float64Array(all.length + 1), new Float64Array(all.length + 1)];
  for (let i = all.length - 1; i >= 0; i--) {
    const inWorld = 1 / (1 + Math.exp(-all[i]!));
    own[i] = own[i + 1]! + inWorld;
    other[i] = other[i + 1]! + 1 - inWorld;
  }
  return (threshold) => {
    const from = firstFrom(all, threshold);
    return [own[from]! / own[0]!, other[from]! / other[0]!];
  };
}

/** Index of the first of the sorted scores that is at least the threshold. */
function firstFrom(sorted: Float64Array, threshold: number): number {
  return 1 + lastWhere(-1, sorted.length, (i) => sorted[i]! < threshold);
}

function signedScores(
  among: readonly ChoiceTrials[],
  world: World,
  favours: World,
  score: number,
): Float64Array {
  const sign = favours === 0 ? 1 : -1;
  const parts = among.map(({ scores }) => scores[world][score]!);
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) for (const value of part) all[at++] = sign * value;
  return all.sort();
}

/** Scores that so many trials reach, growing by a tenth. */
function candidates(sorted: Float64Array): number[] {
  const result: number[] = [];
  for (let rank = 1; rank <= sorted.length; rank = Math.max(rank + 1, Math.ceil(1.1 * rank)))
    result.push(sorted[sorted.length - rank]!);
  return result;
}
