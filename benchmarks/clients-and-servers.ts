/** Clients (users randomized a second) and servers (messages counted a second), beside one closure call a user. */
import { RandomStream, type Column, type FrequencyOracle, type SetValuedData } from '@shuffle-dp/core';
import {
  generalizedRandomizedResponse,
  optimizedUnaryEncoding,
  poissonRandomizer,
  subsetExponential,
  subsetSelection,
  symmetricUnaryEncoding,
} from '@shuffle-dp/randomizers';
import { shuffle } from '@shuffle-dp/shuffler';
import { fastest, rateRow, type BenchmarkRow } from './row.ts';

const EPSILON0 = 1;
const MILLION = 1e6;

/** The randomizer as one would first write it: a closure that makes one message for one user. */
type PlainClient = (value: number) => number | Uint8Array;

function plainGrr(domain: number, stream: RandomStream): PlainClient {
  const truthful = Math.expm1(EPSILON0) / (Math.exp(EPSILON0) + domain - 1);
  return (value) => (stream.next() < truthful ? value : Math.floor(stream.next() * domain));
}

function plainUnary(domain: number, own: number, other: number, stream: RandomStream): PlainClient {
  return (value) =>
    Uint8Array.from({ length: domain }, (_, v) => (stream.next() < (v === value ? own : other) ? 1 : 0));
}

function plainSubset(domain: number, size: number, own: number, stream: RandomStream): PlainClient {
  return (value) => {
    const row = new Uint8Array(domain);
    const holds = stream.next() < own;
    const others = Array.from({ length: domain - 1 }, (_, i) => (i < value ? i : i + 1));
    const taken = holds ? size - 1 : size;
    for (let i = 0; i < taken; i++) {
      const j = i + Math.floor(stream.next() * (domain - 1 - i));
      [others[i], others[j]] = [others[j]!, others[i]!];
      row[others[i]!] = 1;
    }
    if (holds) row[value] = 1;
    return row;
  };
}

function plainCount(messages: readonly (number | Uint8Array)[], domain: number): number[] {
  const counts = Array.from({ length: domain }, () => 0);
  for (const message of messages) {
    if (typeof message === 'number') counts[message]!++;
    else message.forEach((one, v) => (counts[v]! += one));
  }
  return counts;
}

function oracleRows(oracle: FrequencyOracle, plain: PlainClient, users: number): BenchmarkRow[] {
  const { name, domain } = oracle;
  const stream = RandomStream.fromSeed('benchmark');
  const values = Uint32Array.from({ length: users }, () => stream.integerBelow(domain));
  const messages = oracle.allocate(users);
  const client = fastest(() => oracle.randomizeInto(values, messages, stream));
  const shuffled = shuffle({ columns: messages.columns as Record<string, Column>, count: users }, stream);
  const server = fastest(() => void oracle.supportCounts(shuffled));
  // The plain way is slow: fewer users give the same rate.
  const few = values.subarray(0, Math.min(users, Math.max(200, Math.floor(4e6 / domain))));
  let made: (number | Uint8Array)[] = [];
  const plainClient = fastest(() => (made = Array.from(few, plain)), 3);
  const plainServer = fastest(() => void plainCount(made, domain), 3);
  const rate = (seconds: number, count: number): number => count / seconds / MILLION;
  const unit = 'million users/s';
  return [
    rateRow('client', `${name}, d = ${domain}`, unit, rate(client, users), {
      name: 'closure per user',
      value: rate(plainClient, few.length),
    }),
    rateRow('server', `${name}, d = ${domain}`, unit, rate(server, users), {
      name: 'loop over messages',
      value: rate(plainServer, few.length),
    }),
  ];
}

function randomSets(users: number, domain: number, itemsPerUser: number): SetValuedData {
  const stream = RandomStream.fromSeed('sets');
  const items = new Uint16Array(users * itemsPerUser);
  const histogram = new Float64Array(domain);
  for (let user = 0; user < users; user++) {
    const start = stream.integerBelow(domain - itemsPerUser);
    for (let i = 0; i < itemsPerUser; i++) {
      items[user * itemsPerUser + i] = start + i;
      histogram[start + i] = histogram[start + i]! + 1;
    }
  }
  const levelOf = Uint8Array.from({ length: users }, () => stream.integerBelow(3));
  return { kind: 'sets', users, domain, itemsPerUser, items, histogram, levelOf };
}

function plainSetProtocol(data: SetValuedData, rates: Float64Array, blanketRate: number): () => void {
  const stream = RandomStream.fromSeed('plain');
  const { users, domain, itemsPerUser, items, levelOf } = data;
  return () => {
    const messages: number[] = [];
    for (let user = 0; user < users; user++) {
      const own = Array.from(items.slice(user * itemsPerUser, (user + 1) * itemsPerUser));
      messages.push(...own.filter(() => stream.next() < rates[levelOf![user]!]!));
      if (stream.next() < blanketRate) messages.push(Math.floor(stream.next() * domain));
    }
    for (let i = messages.length - 1; i > 0; i--) {
      const j = Math.floor(stream.next() * (i + 1));
      [messages[i], messages[j]] = [messages[j]!, messages[i]!];
    }
    plainCount(messages, domain);
  };
}

function setRows(): BenchmarkRow[] {
  const users = 50_000;
  const data = randomSets(users, 17, 4);
  const stream = RandomStream.fromSeed('benchmark sets');
  const rates = Float64Array.of(0.2, 0.5, 1);
  const blanketRate = 0.3;
  const poisson = poissonRandomizer({ domain: 17, itemsPerUser: 4, rates, blanketRate, blankets: 'paper' });
  const messages = poisson.allocate(users);
  const levels = [0, 1, 2].map((k) => {
    const histogram = new Float64Array(17);
    data.levelOf!.forEach((level, user) => {
      if (level !== k) return;
      for (let i = 0; i < 4; i++) histogram[data.items[4 * user + i]!]!++;
    });
    return histogram;
  });
  const byMessages = fastest(() => {
    poisson.randomizeInto(data, messages, stream);
    poisson.supportCounts(shuffle(messages, stream));
  }, 20);
  const aggregated = fastest(() => void poisson.sampleCounts(levels, users, stream), 20);
  const plain = fastest(plainSetProtocol(data, rates, blanketRate), 5);
  const perSecond = (seconds: number): number => users / seconds / MILLION;
  const baseline = { name: 'arrays and closures', value: perSecond(plain) };
  const subset = subsetExponential({ domain: 17, itemsPerUser: 4, epsilon0: EPSILON0 });
  const rows = subset.allocate(users);
  const privset = fastest(() => subset.randomizeInto(data, rows, stream));
  return [
    rateRow(
      'sets',
      'Poisson and blankets: send, shuffle, count',
      'million users/s',
      perSecond(byMessages),
      baseline,
    ),
    rateRow('sets', 'Poisson and blankets: aggregated', 'million users/s', perSecond(aggregated), baseline),
    rateRow('sets', 'subset exponential client', 'million users/s', perSecond(privset)),
  ];
}

export function rows(): BenchmarkRow[] {
  const stream = RandomStream.fromSeed('plain');
  const result: BenchmarkRow[] = [];
  for (const domain of [16, 128, 1024]) {
    const users = domain === 1024 ? 200_000 : 1_000_000;
    const grr = generalizedRandomizedResponse({ domain, epsilon0: EPSILON0 });
    result.push(...oracleRows(grr, plainGrr(domain, stream), 4_000_000));
    for (const oracle of [
      optimizedUnaryEncoding({ domain, epsilon0: EPSILON0 }),
      symmetricUnaryEncoding({ domain, epsilon0: EPSILON0 }),
    ]) {
      const { own, other } = oracle.supportProbability;
      result.push(...oracleRows(oracle, plainUnary(domain, own, other, stream), users));
    }
    const subset = subsetSelection({ domain, epsilon0: EPSILON0 });
    const plain = plainSubset(domain, subset.subsetSize, subset.supportProbability.own, stream);
    result.push(...oracleRows(subset, plain, users / 2));
  }
  return [...result, ...setRows()];
}
