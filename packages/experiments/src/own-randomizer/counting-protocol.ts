/** The way of messages through an oracle up to the counts, for checks of it. */
import type { FrequencyOracle } from '@shuffle-dp/core';
import { shuffledOracle, type FrequencyProtocol } from '@shuffle-dp/protocols';

/** The shuffled oracle itself, but for its estimates: they are the support counts. */
export function countingProtocol(oracle: FrequencyOracle, users: number): FrequencyProtocol {
  const { name, domain, epsilon0 } = oracle;
  return shuffledOracle(
    () => ({
      ...oracle,
      allocate: (count) => oracle.allocate(count),
      randomizeInto: (values, messages, stream) => oracle.randomizeInto(values, messages, stream),
      supportCounts: (messages) => oracle.supportCounts(messages),
      estimate: (counts) => counts,
    }),
    { title: name, randomizer: name, epsilon0 },
    { users, domain, delta: 0.5 },
  );
}
