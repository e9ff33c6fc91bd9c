/**
 * The augmented shuffler: users send their categories in the clear to it (sealed for the analyzer in
 * practice); it keeps each message with one probability, adds a random number of dummies of every category,
 * and permutes. T. Murakami, Y. Sei, R. Eriguchi, IEEE S&P 2025, Section IV. Colluding users change nothing;
 * a shuffler that tells the analyzer what it dropped or added undoes all.
 */
import { beyond, from, Real, real, type RandomStream, type UserMessages } from '@shuffle-dp/core';
import { logExcess, momentsOf, type NoiseLaw } from '@shuffle-dp/accounting';
import { categoryColumn, type CategoryColumns } from '@shuffle-dp/randomizers';
import { choiceField, rangeField, type ProtocolField } from '../protocol-card.ts';
import type { CategoricalSetting } from '../setting.ts';
import type { FrequencyProtocol } from '../shuffle-protocol.ts';
import { noisyCountHistogram, type CountNoise, type NoisyCounts } from './noisy-counts.ts';

/** 'exact': the fewest dummies by the exact divergence. 'original': as many as the authors ask for. */
export type DummyAccounting = 'exact' | 'original';

export const SAMPLING_RATE = rangeField(
  real('samplingRate', beyond(0), from(1), 'probability that the shuffler keeps a message'),
  'in (0, 1]',
  'Probability that the shuffler keeps a message; by default the value with the least error.',
);

export const DUMMY_FIELDS: readonly ProtocolField[] = [
  choiceField('accounting', ['exact', 'original'], 'How the dummies are accounted for; default exact.'),
  SAMPLING_RATE,
];

/** @param protocol all but what every augmented shuffler does */
export function augmentedHistogram(
  protocol: Omit<NoisyCounts, 'trust' | 'messagesPerUser' | 'send'>,
  setting: CategoricalSetting,
): FrequencyProtocol {
  const { rate, noise } = protocol;
  const { mean } = momentsOf(noise.law);
  return noisyCountHistogram(
    {
      ...protocol,
      name: `${protocol.name} (augmented shuffler)`,
      trust: 'augmented',
      messagesPerUser: 1,
      parameters: {
        samplingRate: rate,
        ...protocol.parameters,
        dummiesPerUser: (setting.domain * mean) / setting.users,
      },
      send: (values, stream) => sampledWithDummies(values, setting.domain, rate, noise, stream),
    },
    setting,
  );
}

function sampledWithDummies(
  values: Uint32Array,
  domain: number,
  rate: number,
  noise: CountNoise,
  stream: RandomStream,
): UserMessages<CategoryColumns> {
  const dummies = Float64Array.from({ length: domain }, () => noise.sample(stream));
  const most = values.length + dummies.reduce((sum, count) => sum + count, 0);
  const value = categoryColumn(domain, most);
  let count = 0;
  for (let i = 0; i < values.length; i++) if (rate === 1 || stream.next() < rate) value[count++] = values[i]!;
  dummies.forEach((more, item) => {
    value.fill(item, count, count + more);
    count += more;
  });
  return { columns: { value }, count };
}

/** The sum over all items of the estimates' variance. */
export function sumOfVariances(
  { users, domain }: CategoricalSetting,
  rate: number,
  noiseVariance: number,
): number {
  return (1 - rate) / (rate * users) + (domain * noiseVariance) / (users * rate) ** 2;
}

/** Rates that are tried: equal steps of the logarithm from 1 down. */
const RATES = 24;

/**
 * The rate that is given, or else the one, among 24 from `least` to 1, at which the noise that it needs
 * leaves the least error.
 * @param noiseAt for a rate; null where there is none, and null will do where its variance is above `most`:
 * the rate is not the best then
 */
export function bestRate<Noise extends { readonly law: NoiseLaw }>(
  setting: CategoricalSetting,
  least: number,
  noiseAt: (rate: number, most: number) => Noise | null,
  given?: number,
): { readonly rate: number; readonly noise: Noise } | null {
  if (given !== undefined) {
    const noise = noiseAt(given, Infinity);
    return noise && { rate: given, noise };
  }
  const { users, domain } = setting;
  let best: { readonly rate: number; readonly noise: Noise; readonly error: number } | null = null;
  for (let i = 0; i < RATES; i++) {
    const rate = Real.power(least, i / RATES);
    const left: number = best ? best.error - sumOfVariances(setting, rate, 0) : Infinity;
    const noise: Noise | null = left > 0 ? noiseAt(rate, (left * (users * rate) ** 2) / domain) : null;
    if (!noise) continue;
    const error = sumOfVariances(setting, rate, momentsOf(noise.law).variance);
    if (!best || error < best.error) best = { rate, noise, error };
  }
  return best;
}

/** A number of dummies, whether they are enough, and the logarithm of the divergence over delta. */
interface Look {
  readonly value: number;
  readonly enough: boolean;
  readonly excess: number;
}

/**
 * The fewest dummies, or the least mode of their law, with which the divergence is at most `delta`. @returns
 * null beyond `most`
 * @param divergenceOf upper bound of the divergence, which falls as the number grows
 */
export function leastDummies(
  most: number,
  delta: number,
  divergenceOf: (value: number) => number,
): number | null {
  const look = (value: number): Look => {
    const divergence = divergenceOf(value);
    return { value, enough: divergence <= delta, excess: logExcess(divergence, delta) };
  };
  let outside = look(0);
  if (outside.enough) return 0;
  let inside = look(1);
  while (!inside.enough) {
    outside = inside;
    if (2 * inside.value > most) return null;
    inside = look(2 * inside.value);
  }
  // A look takes long where numbers are large. Secants close in from one side, and a halving from the other.
  for (let looks = 1; inside.value - outside.value > 1; looks++) {
    const middle = look(looks % 3 === 0 ? halfway(outside, inside) : crossing(outside, inside));
    if (middle.enough) inside = middle;
    else outside = middle;
  }
  return inside.value;
}

function halfway(outside: Look, inside: Look): number {
  return Math.floor((outside.value + inside.value) / 2);
}

/** Where a straight line through both meets 0, between them. */
function crossing(outside: Look, inside: Look): number {
  const share = outside.excess / (outside.excess - inside.excess);
  if (!(share >= 0 && share <= 1)) return halfway(outside, inside);
  const value = Math.floor(outside.value + share * (inside.value - outside.value));
  return Math.min(inside.value - 1, Math.max(outside.value + 1, value));
}
