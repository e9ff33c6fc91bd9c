/**
 * The augmented shuffler: users send their categories in the clear to it (sealed for the analyzer in
 * practice); it keeps each message with one probability, adds a random number of dummies of every category,
 * and permutes. T. Murakami, Y. Sei, R. Eriguchi, IEEE S&P 2025, Section IV. Colluding users change nothing;
 * a shuffler that tells the analyzer what it dropped or added undoes all.
 */
import { beyond, from, Real, real, type RandomStream, type UserMessages } from '@shuffle-dp/core';
import { momentsOf, type NoiseLaw } from '@shuffle-dp/accounting';
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
  'Probability that the shuffler keeps a message; by default that of the least error.',
);

export const DUMMY_FIELDS: readonly ProtocolField[] = [
  choiceField('accounting', ['exact', 'original'], 'How the dummies are counted out; default exact.'),
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
 * The rate, among 24 from `least` to 1, at which the noise that it needs leaves the least error.
 * @param noiseAt for a rate; null where there is none
 */
export function bestRate<Noise extends { readonly law: NoiseLaw }>(
  setting: CategoricalSetting,
  least: number,
  noiseAt: (rate: number) => Noise | null,
): { readonly rate: number; readonly noise: Noise } | null {
  let best: { readonly rate: number; readonly noise: Noise; readonly error: number } | null = null;
  for (let i = 0; i < RATES; i++) {
    const rate = Real.power(least, i / RATES);
    const noise = noiseAt(rate);
    if (!noise) continue;
    const error = sumOfVariances(setting, rate, momentsOf(noise.law).variance);
    if (!best || error < best.error) best = { rate, noise, error };
  }
  return best;
}

/**
 * The least of the integers from `low` on for which `enough` holds, as it does for all above it. @returns
 * null beyond `most`
 */
export function leastInteger(low: number, most: number, enough: (value: number) => boolean): number | null {
  if (enough(low)) return low;
  let outside = low;
  let inside = Math.max(low + 1, 2 * low);
  while (!enough(inside)) {
    outside = inside;
    inside *= 2;
    if (inside > most) return null;
  }
  while (inside - outside > 1) {
    const middle = Math.floor((inside + outside) / 2);
    if (enough(middle)) inside = middle;
    else outside = middle;
  }
  return inside;
}
