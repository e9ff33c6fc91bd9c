/**
 * Whole scores of messages for the likelihood-ratio test: near its gains, and few enough that the law of
 * their sum fits a transform. Any scores give a sound test; these decide how sharp it is and what it costs.
 */
import { meanLaw, type Contest } from './contest.ts';

/** The largest score, which cuts gains beyond so many steps. */
export const LARGEST_SCORE = 36;
/** Steps per deviation of one message's score where gains have many values. */
const RESOLUTION = 6;
/** With fewer steps per deviation, rounding takes a tenth of what the gains tell. */
const LEAST_RESOLUTION = 0.6;
/** Deviations of the sum over its window, both sides together. */
const WINDOW = 24;
/** Up to this many places in the window the finest steps are taken. */
const CHEAP_PLACES = 2 ** 18;
const MOST_PLACES = 2 ** 21;
/** Steps up to the largest gain that are tried where places are dear. */
const MOST_WHOLE_STEPS = 12;
/** What scores keep of the distance between the victim's two laws, to stand for the gains. */
const KEPT = 0.9999;

/**
 * A score from -36 to 36 for each message, mean about 0, in place of its gain. The few gains that would set
 * the scale alone do not, and have the largest scores. Among some million users and more the steps are wide:
 * those of the gains where these have few values, else as fine as two million places allow. Undefined where
 * even the widest steps would need more.
 */
export function wholeScores(contest: Contest, gains: Float64Array): Int32Array | undefined {
  const mean = meanLaw(contest.others);
  const usual = usualSize(gains, mean);
  const { average, deviation } = momentsUnder(
    mean,
    gains.map((gain) => Math.max(-usual, Math.min(usual, gain))),
  );
  const users = contest.others.reduce((sum, group) => sum + group.users, 0);
  const mostSteps = (places: number): number => places / (WINDOW * Math.sqrt(users));
  const scoresOf = (unit: number): Int32Array =>
    Int32Array.from(gains, (gain) =>
      Math.max(-LARGEST_SCORE, Math.min(LARGEST_SCORE, Math.round((gain - average) / unit))),
    );
  const fine = scoresOf(deviation / RESOLUTION);
  if (mostSteps(CHEAP_PLACES) >= RESOLUTION) return fine;
  const told = distanceTold(contest, mean, fine);
  const largest = gains.reduce(
    (size, gain) => (Number.isFinite(gain) ? Math.max(size, Math.abs(gain)) : size),
    0,
  );
  for (const size of [largest, usual]) {
    for (let steps = 1; steps <= MOST_WHOLE_STEPS; steps++) {
      const scores = scoresOf(size / steps);
      const fits = momentsUnder(mean, Float64Array.from(scores)).deviation <= mostSteps(MOST_PLACES);
      if (fits && distanceTold(contest, mean, scores) >= KEPT * told) return scores;
    }
  }
  const resolution = Math.min(RESOLUTION, mostSteps(MOST_PLACES));
  return resolution >= LEAST_RESOLUTION ? scoresOf(deviation / resolution) : undefined;
}

/** How far apart a score is on average under the victim's two laws, in its deviations among the others. */
function distanceTold({ first, second }: Contest, mean: Float64Array, whole: Int32Array): number {
  const scores = Float64Array.from(whole);
  const apart = momentsUnder(first, scores).average - momentsUnder(second, scores).average;
  return apart / momentsUnder(mean, scores).deviation;
}

/** Of scores under a law; the deviation is above 0. */
function momentsUnder(
  masses: Float64Array,
  scores: Float64Array,
): { readonly average: number; readonly deviation: number } {
  let average = 0;
  let square = 0;
  masses.forEach((mass, y) => {
    average += mass * scores[y]!;
    square += mass * scores[y]! * scores[y]!;
  });
  return { average, deviation: Math.sqrt(Math.max(square - average * average, 1e-300)) };
}

/** The size of gains that all but a thousandth of the others' messages stay below. */
function usualSize(gains: Float64Array, mean: Float64Array): number {
  const order = Uint32Array.from(gains, (_, y) => y).sort(
    (a, b) => Math.abs(gains[a]!) - Math.abs(gains[b]!),
  );
  let mass = 0;
  let size = 0;
  for (const y of order) {
    mass += mean[y]!;
    if (Number.isFinite(gains[y]!)) size = Math.abs(gains[y]!);
    if (mass >= 0.999) break;
  }
  return size;
}
