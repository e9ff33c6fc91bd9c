/** A user's oracle whose every call is watched, and gives as many messages as there are users. */
import type { FrequencyOracle } from '@shuffle-dp/core';
import { ForbiddenError, foreignCall } from './guarded-thread.ts';

/** What protocols call. */
export const ORACLE_METHODS = [
  'allocate',
  'randomizeInto',
  'amplification',
  'supportCounts',
  'estimate',
  'variance',
  'sampleSupportCounts',
] as const satisfies readonly (keyof FrequencyOracle)[];

/** The oracle broke its contract in the middle of a trial. */
export class MessageCountError extends ForbiddenError {
  override readonly name = 'MessageCountError';
}

/** @param oracle has all methods @param module as messages name it */
export function watchedOracle(oracle: FrequencyOracle, module: string): FrequencyOracle {
  const { name, domain, epsilon0, bitsPerMessage, supportProbability, jointSupportCounts, supports } = oracle;
  const call = <Result>(what: (typeof ORACLE_METHODS)[number], work: () => Result): Result =>
    foreignCall(module, what, work);
  return Object.freeze({
    name,
    domain,
    epsilon0,
    bitsPerMessage,
    supportProbability,
    ...(jointSupportCounts === undefined ? {} : { jointSupportCounts }),
    ...(supports === undefined ? {} : { supports }),
    allocate: (users) => call('allocate', () => oracle.allocate(users)),
    randomizeInto: (values, messages, stream) => {
      call('randomizeInto', () => oracle.randomizeInto(values, messages, stream));
      const { count } = messages;
      if (count !== values.length)
        throw new MessageCountError(`randomizeInto gives ${count} messages of ${values.length} users`);
    },
    amplification: () => call('amplification', () => oracle.amplification()),
    supportCounts: (messages) => kept(call('supportCounts', () => oracle.supportCounts(messages))),
    estimate: (counts, users) => kept(call('estimate', () => oracle.estimate(counts, users))),
    variance: (users, frequency) => call('variance', () => oracle.variance(users, frequency)),
    // A module may count in what it is given; that of the data is the truth of the trial.
    sampleSupportCounts: (histogram, stream) =>
      kept(call('sampleSupportCounts', () => oracle.sampleSupportCounts(histogram.slice(), stream))),
  } satisfies FrequencyOracle);
}

/** A module may fill the same array in its next call. What is no array is refused elsewhere. */
function kept<Values>(values: Values): Values {
  return values instanceof Float64Array ? (values.slice() as typeof values) : values;
}
