/** Estimates of a frequency oracle whose counts hold fake messages besides those of honest users (docs/threats.md, "Poisoners"). */
import type { CategoricalData, FrequencyOracle, RandomStream } from '@shuffle-dp/core';
import { fakeSupport, sampleFakeSupport, type CraftedAttack } from './poisoning.ts';

export interface FakeMessages {
  readonly attack: CraftedAttack;
  /** Categories that are promoted, each once. */
  readonly targets: readonly number[];
  readonly count: number;
}

/**
 * The estimates of an analyzer who takes fake messages for those of users; counts are drawn from their laws.
 * @param data of the honest users
 * @throws ParameterError for an oracle whose best message is not known here
 */
export function poisonedEstimate(
  oracle: FrequencyOracle,
  { histogram, users }: CategoricalData,
  { attack, targets, count }: FakeMessages,
  stream: RandomStream,
): Float64Array {
  const honest = oracle.sampleSupportCounts(histogram, stream.fork('honest'));
  const fake = sampleFakeSupport(oracle, attack, targets, count, stream.fork('fake'));
  return oracle.estimate(
    honest.map((support, v) => support + fake[v]!),
    users + count,
  );
}

/**
 * The expected sum over the categories of squared differences between these estimates and `truth`, given the data.
 * @throws ParameterError as `poisonedEstimate`
 */
export function poisonedError(
  oracle: FrequencyOracle,
  { histogram, users }: CategoricalData,
  { attack, targets, count }: FakeMessages,
  truth: Float64Array,
): number {
  const { own, other } = oracle.supportProbability;
  const { ofTarget, ofOther } = fakeSupport(oracle, attack, targets.length);
  const isTarget = new Set(targets);
  const everyone = users + count;
  const scale = everyone * (own - other);
  let error = 0;
  histogram.forEach((holders, v) => {
    const fake = isTarget.has(v) ? ofTarget : ofOther;
    const mean = holders * own + (users - holders) * other + count * fake;
    const variance =
      holders * own * (1 - own) + (users - holders) * other * (1 - other) + count * fake * (1 - fake);
    const bias = (mean - everyone * other) / scale - truth[v]!;
    error += variance / (scale * scale) + bias * bias;
  });
  return error;
}
