/**
 * The engine of the page Watch a shuffle: real messages of the real randomizer, through the real shuffler.
 */
import { honestUsers } from '@shuffle-dp/accounting';
import {
  aliasTable,
  RandomStream,
  requireInteger,
  type FrequencyOracle,
  type Interval,
} from '@shuffle-dp/core';
import { accountStages } from '@shuffle-dp/experiments/account';
import { generalizedRandomizedResponse } from '@shuffle-dp/randomizers';
import { shuffle } from '@shuffle-dp/shuffler';
import {
  FEWEST_USERS,
  MOST_USERS,
  type EstimateStep,
  type ShuffleContract,
  type ShuffleSetting,
  type WatchedBatch,
} from '../shuffle/contract.ts';
import { serve } from '../engine/serve.ts';

const WATCHED = 18;
const STEPS = 25;

serve<ShuffleContract>({
  *watch(setting) {
    const { users, domain, epsilon0, colluding, seed } = setting;
    requireInteger('users', users, FEWEST_USERS, MOST_USERS);
    const stream = RandomStream.fromSeed(seed);
    const oracle = generalizedRandomizedResponse({ epsilon0, domain });
    const values = drawnValues(setting, stream.fork('values'));
    const delta = Math.min(1e-6, 0.01 / users);
    const honest = honestUsers(users, colluding);
    const epsilonOf = (count: number): Interval =>
      accountStages('grr', { epsilon0, domain }, count, { delta }).next().value!.bracket;
    yield {
      batch: watchedBatch(values, oracle, colluding, stream.fork('batch')),
      steps: estimateSteps(values, oracle, stream.fork('estimates')),
      delta,
      honest,
      epsilon: epsilonOf(users),
      epsilonHonest: epsilonOf(honest),
    };
  },
});

/** Categories whose shares fall as 1/rank. */
function drawnValues({ users, domain }: ShuffleSetting, stream: RandomStream): Uint32Array {
  const table = aliasTable(Float64Array.from({ length: domain }, (_, i) => 1 / (i + 1)));
  return Uint32Array.from({ length: users }, () => table.sample(stream));
}

function watchedBatch(
  all: Uint32Array,
  oracle: FrequencyOracle,
  colluding: number,
  stream: RandomStream,
): WatchedBatch {
  const values = all.slice(0, WATCHED);
  const messages = oracle.allocate(values.length);
  oracle.randomizeInto(values, messages, stream.fork('messages'));
  const [sent] = Object.values(messages.columns);
  const before = [...sent!];
  // A column that no real message has: it tells where each one went.
  const user = Uint32Array.from(values, (_, i) => i);
  const followed = { columns: { ...messages.columns, user }, count: messages.count };
  const after = shuffle(followed, stream.fork('shuffle'));
  const places = Array<number>(values.length).fill(0);
  after.columns.user.forEach((who, place) => (places[who] = place));
  const colluders = values.length - honestUsers(values.length, colluding);
  return {
    values: [...values],
    messages: before,
    places,
    // Spread over the batch, so that honest and colluding users stand side by side.
    colludes: before.map(
      (_, i) =>
        Math.floor(((i + 1) * colluders) / before.length) > Math.floor((i * colluders) / before.length),
    ),
  };
}

function estimateSteps(values: Uint32Array, oracle: FrequencyOracle, stream: RandomStream): EstimateStep[] {
  const { domain } = oracle;
  const counts = Array.from({ length: STEPS }, (_, i) =>
    Math.round(FEWEST_USERS * (values.length / FEWEST_USERS) ** (i / (STEPS - 1))),
  );
  return [...new Set(counts)].map((users) => {
    const held = values.subarray(0, users);
    const messages = oracle.allocate(users);
    // The same stream each time: a user's message does not change as others join.
    oracle.randomizeInto(held, messages, stream.fork('messages'));
    const shuffled = shuffle(messages, stream.fork('shuffle'));
    const truth = Array<number>(domain).fill(0);
    for (const value of held) truth[value]! += 1 / users;
    return {
      users,
      estimates: [...oracle.estimate(oracle.supportCounts(shuffled), users)],
      truth,
      deviations: truth.map((share) => Math.sqrt(oracle.variance(users, share))),
    };
  });
}
