/**
 * Estimates of a frequency oracle whose counts hold fake messages besides those of honest users
 * (docs/threats.md, "Poisoners").
 */
import {
  ParameterError,
  type CategoricalData,
  type CraftedAttack,
  type FrequencyOracle,
  type RandomStream,
  type UserMessages,
} from '@shuffle-dp/core';
import { shuffleWithTrace, type Trace } from '../traced-shuffle.ts';
import { craftedMessages, fakeSupport, sampleFakeSupport } from './poisoning.ts';

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
  const all = honest.map((support, v) => support + fake[v]!);
  return oracle.estimate(all, users + count);
}

/**
 * The same, every message made: honest and fake ones stand in one list, which is shuffled and counted.
 *
 * @param data of the honest users, with every user's category
 * @throws ParameterError as `poisonedEstimate`; for data that are only a histogram, and for local hashing
 * with several targets
 */
export function poisonedMessagesEstimate(
  oracle: FrequencyOracle,
  { values, users }: CategoricalData,
  fake: FakeMessages,
  stream: RandomStream,
  trace?: Trace,
): Float64Array {
  if (values === undefined) throw new ParameterError('data.values', 'nothing', "every user's category");
  const everyone = users + fake.count;
  const messages = oracle.allocate(everyone);
  oracle.randomizeInto(values, messages, stream.fork('messages'));
  addFakeMessages(oracle, fake, messages, stream.fork('fake'));
  const shuffled = shuffleWithTrace('data messages, fake ones among them', messages, stream, trace);
  return oracle.estimate(oracle.supportCounts(shuffled), everyone);
}

/** Adds fake messages, made one by one, after those that are there. They know nothing of the honest. */
function addFakeMessages(
  oracle: FrequencyOracle,
  { attack, targets, count }: FakeMessages,
  messages: UserMessages,
  stream: RandomStream,
): void {
  const write = craftedMessages(oracle).writer(attack, targets, messages.columns, stream);
  const end = messages.count + count;
  for (let row = messages.count; row < end; row++) write(row);
  messages.count = end;
}

/**
 * The expected sum over the categories of squared differences between these estimates and `truth`, given the
 * data.
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
