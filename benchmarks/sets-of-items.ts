/**
 * Sets of items, a million users a second: sent, shuffled and counted; clients and servers; beside arrays and
 * closures.
 */
import { RandomStream, type MessageColumns, type HeldSets } from '@shuffle-dp/core';
import {
  collision,
  pckvGrr,
  poissonRandomizer,
  sampledRappor,
  subsetExponential,
  wheel,
  type SetFrequencyOracle,
} from '@shuffle-dp/randomizers';
import { shuffle } from '@shuffle-dp/shuffler';
import {
  inArc,
  plainCollision,
  plainHash,
  plainPckv,
  plainRappor,
  plainSubsetExponential,
  plainSupport,
  plainWheel,
  type PlainSetClient,
} from './plain/set-clients.ts';
import { plainItemTrial } from './plain/set-trials.ts';
import { fastest, rateRow, type BenchmarkRow } from './row.ts';

const EPSILON0 = 1;
const MILLION = 1e6;
const UNIT = 'million users/s';

function randomSets(users: number, domain: number, items: number): HeldSets {
  const stream = RandomStream.fromSeed('sets');
  const rows = new Uint16Array(users * items);
  const histogram = new Float64Array(domain);
  for (let user = 0; user < users; user++) {
    const start = stream.integerBelow(domain - items);
    for (let i = 0; i < items; i++) {
      rows[user * items + i] = start + i;
      histogram[start + i] = histogram[start + i]! + 1;
    }
  }
  const levelOf = Uint8Array.from({ length: users }, () => stream.integerBelow(3));
  return { kind: 'sets', users, domain, items, rows, histogram, levelOf };
}

function segmentedRows(data: HeldSets): BenchmarkRow[] {
  const { users } = data;
  const stream = RandomStream.fromSeed('benchmark sets');
  const rates = Float64Array.of(0.2, 0.5, 1);
  const blanketRate = 0.3;
  const poisson = poissonRandomizer({ domain: 17, items: 4, rates, blanketRate, blankets: 'paper' });
  const messages = poisson.allocate(users);
  const levels = [0, 1, 2].map((k) => {
    const histogram = new Float64Array(17);
    data.levelOf!.forEach((level, user) => {
      if (level !== k) return;
      for (let i = 0; i < 4; i++) histogram[data.rows[4 * user + i]!]!++;
    });
    return histogram;
  });
  const byMessages = fastest(() => {
    poisson.randomizeInto(data, messages, stream);
    poisson.supportCounts(shuffle(messages, stream));
  }, 20);
  const aggregated = fastest(() => void poisson.sampleCounts(levels, users, stream), 20);
  const plain = fastest(() => void plainItemTrial(data, Array.from(rates), blanketRate), 3);
  const baseline = { name: 'arrays and closures', value: users / plain / MILLION };
  const row = (name: string, seconds: number): BenchmarkRow =>
    rateRow('sets', `Poisson and blankets: ${name}`, UNIT, users / seconds / MILLION, baseline);
  return [row('send, shuffle, count', byMessages), row('aggregated', aggregated)];
}

/** Client and server of one randomizer. The plain way is slow: fewer users give the same rate. */
function oracleRows<Columns extends MessageColumns, Message>(
  oracle: SetFrequencyOracle<Columns>,
  data: HeldSets,
  plain: PlainSetClient<Message>,
  supports: (message: Message, item: number) => boolean,
): BenchmarkRow[] {
  const { name, domain, items } = oracle;
  const stream = RandomStream.fromSeed(name);
  const messages = oracle.allocate(data.users);
  const client = fastest(() => oracle.randomizeInto(data, messages, stream), 3);
  const shuffled = shuffle(messages, stream);
  const server = fastest(() => void oracle.supportCounts(shuffled), 3);
  const few = Array.from({ length: 4000 }, (_, user) =>
    Array.from(data.rows.subarray(user * items, (user + 1) * items)),
  );
  let made: Message[] = [];
  const plainClient = fastest(() => (made = few.map(plain)), 3);
  const plainServer = fastest(() => void plainSupport(made, domain, supports), 3);
  const rate = (seconds: number, users: number): number => users / seconds / MILLION;
  return [
    rateRow('sets', `${name} client`, UNIT, rate(client, data.users), {
      name: 'closure per user',
      value: rate(plainClient, few.length),
    }),
    rateRow('sets', `${name} server`, UNIT, rate(server, data.users), {
      name: 'loop over messages',
      value: rate(plainServer, few.length),
    }),
  ];
}

function keyValueRow({ users, rows, domain, items }: HeldSets): BenchmarkRow {
  const stream = RandomStream.fromSeed('key-value');
  const mechanism = pckvGrr({ domain, items, epsilon0: EPSILON0 });
  const values = Float64Array.from(rows, () => 2 * stream.next() - 1);
  const messages = mechanism.allocate(users);
  const client = fastest(() => mechanism.randomizeInto({ users, keys: rows, values }, messages, stream), 3);
  const few = Array.from({ length: 4000 }, (_, user) =>
    Array.from({ length: items }, (_unused, i): [number, number] => {
      const pair = user * items + i;
      return [rows[pair]!, values[pair]!];
    }),
  );
  const plain = fastest(() => void few.map(plainPckv(mechanism)), 3);
  return rateRow('sets', 'pckv-grr client', UNIT, users / client / MILLION, {
    name: 'closure per user',
    value: few.length / plain / MILLION,
  });
}

export function rows(): BenchmarkRow[] {
  const data = randomSets(50_000, 17, 4);
  const parameters = { domain: 17, items: 4, epsilon0: EPSILON0 };
  const subset = subsetExponential(parameters);
  const rappor = sampledRappor(parameters);
  const buckets = collision(parameters);
  const circle = wheel(parameters);
  const arc = circle.length * (2 ** 31 - 1);
  const holds = (message: readonly number[], item: number): boolean => message.includes(item);
  return [
    ...segmentedRows(data),
    ...oracleRows(subset, data, plainSubsetExponential(subset), holds),
    ...oracleRows(rappor, data, plainRappor(rappor), holds),
    ...oracleRows(
      buckets,
      data,
      plainCollision(buckets),
      ([coefficients, bucket], item) => plainHash(coefficients, item) % buckets.buckets === bucket,
    ),
    ...oracleRows(circle, data, plainWheel(circle), ([coefficients, point], item) =>
      inArc(point, plainHash(coefficients, item), arc),
    ),
    keyValueRow(data),
  ];
}
