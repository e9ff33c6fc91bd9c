/**
 * Clients (users randomized a second) and servers (messages counted a second), beside one closure call a
 * user.
 */
import { RandomStream, type Column, type FrequencyOracle } from '@shuffle-dp/core';
import {
  generalizedRandomizedResponse,
  hadamardResponse,
  localHashing,
  optimizedUnaryEncoding,
  subsetSelection,
  symmetricUnaryEncoding,
} from '@shuffle-dp/randomizers';
import { shuffle } from '@shuffle-dp/shuffler';
import { fastest, rateRow, type BenchmarkRow } from './row.ts';

const EPSILON0 = 1;
const MILLION = 1e6;

/**
 * Million users a second of pure-LDP and multi-freq-ldpy, and of plain typed arrays with kernels, by domain.
 */
const CLIENTS_ELSEWHERE: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  grr: { 16: '2.1, 2.3; 700', 1024: '1.7, 0.5; 330' },
  oue: { 16: '0.08, 0.95; 41', 128: '0.05, 0.26; 12', 1024: '0.03, 0.06; 1.7' },
  subset: { 16: '-, 0.86; 37', 128: '-, 0.22; 5.1', 1024: '-, 0.04; 0.7' },
  'local-hash': { 16: '0.25, 0.2; 220', 128: '0.25, 0.2; 220', 1024: '0.25, 0.2; 220' },
  hadamard: { 1024: '0.11, -; 305' },
};
const SERVERS_ELSEWHERE: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  grr: { 16: '4.2, 6.0; 2500', 1024: '4.2, 6.0; 1100' },
  oue: { 16: '1.3, 2.2; 330', 128: '0.8, 1.7; 60', 1024: '0.3, 0.6; 7.4' },
  'local-hash': { 16: '0.14, 0.14; 660', 128: '0.013, 0.013; 540', 1024: '0.002, 0.002; 380' },
  hadamard: { 1024: '22, -; 380' },
};

/**
 * The randomizer as one would first write it: a closure that makes one message for one user, a row of bits or
 * numbers.
 */
type PlainClient = (value: number) => number | Uint8Array | readonly [seed: number, bucket: number];

/** Does a message of local hashing or Hadamard response support a value? */
type Supports = (message: never, value: number) => boolean;

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

function parity(word: number): number {
  let rest = word;
  let odd = 0;
  for (; rest !== 0; rest &= rest - 1) odd ^= 1;
  return odd;
}

function plainHadamard(order: number, stream: RandomStream): PlainClient {
  const own = 1 / (1 + Math.exp(-EPSILON0));
  return (value) => {
    const wanted = stream.next() < own ? 0 : 1;
    for (;;) {
      const index = Math.floor(stream.next() * order);
      if (parity(index & (value + 1)) === wanted) return index;
    }
  };
}

const hadamardSupports = (index: number, value: number): boolean => parity(index & (value + 1)) === 0;

function plainHash(seed: number, value: number, range: number): number {
  let x = Math.imul(seed ^ Math.imul(value + 1, 0x9e3779b1), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return ((x ^ (x >>> 16)) >>> 0) % range;
}

function plainLocalHash(range: number, stream: RandomStream): PlainClient {
  const truthful = Math.expm1(EPSILON0) / (Math.exp(EPSILON0) + range - 1);
  return (value) => {
    const seed = stream.nextUint32();
    const bucket =
      stream.next() < truthful ? plainHash(seed, value, range) : Math.floor(stream.next() * range);
    return [seed, bucket];
  };
}

const hashSupports =
  (range: number) =>
  ([seed, bucket]: readonly [number, number], value: number): boolean =>
    plainHash(seed, value, range) === bucket;

function plainCount(
  messages: readonly ReturnType<PlainClient>[],
  domain: number,
  supports?: Supports,
): number[] {
  const counts = Array.from({ length: domain }, () => 0);
  for (const message of messages) {
    if (supports !== undefined)
      counts.forEach((_, v) => (counts[v]! += supports(message as never, v) ? 1 : 0));
    else if (typeof message === 'number') counts[message]!++;
    else message.forEach((one, v) => (counts[v]! += one));
  }
  return counts;
}

function oracleRows(
  oracle: FrequencyOracle,
  plain: PlainClient,
  users: number,
  supports?: Supports,
): BenchmarkRow[] {
  const { name, domain } = oracle;
  const stream = RandomStream.fromSeed('benchmark');
  const values = Uint32Array.from({ length: users }, () => stream.integerBelow(domain));
  const messages = oracle.allocate(users);
  const client = fastest(() => oracle.randomizeInto(values, messages, stream));
  const shuffled = shuffle({ columns: messages.columns as Record<string, Column>, count: users }, stream);
  const server = fastest(() => void oracle.supportCounts(shuffled));
  // The plain way is slow: fewer users give the same rate.
  const few = values.subarray(0, Math.min(users, Math.max(100, Math.floor(2e5 / domain))));
  let made: ReturnType<PlainClient>[] = [];
  const plainClient = fastest(() => (made = Array.from(few, plain)), 3);
  const plainServer = fastest(() => void plainCount(made, domain, supports), 3);
  const rate = (seconds: number, count: number): number => count / seconds / MILLION;
  const unit = 'million users/s';
  return [
    rateRow(
      'client',
      `${name}, d = ${domain}`,
      unit,
      rate(client, users),
      {
        name: 'closure per user',
        value: rate(plainClient, few.length),
      },
      CLIENTS_ELSEWHERE[name]?.[domain],
    ),
    rateRow(
      'server',
      `${name}, d = ${domain}`,
      unit,
      rate(server, users),
      {
        name: 'loop over messages',
        value: rate(plainServer, few.length),
      },
      SERVERS_ELSEWHERE[name]?.[domain],
    ),
  ];
}

export function rows(): BenchmarkRow[] {
  const stream = RandomStream.fromSeed('plain');
  const result: BenchmarkRow[] = [];
  for (const domain of [16, 128, 1024]) {
    const users = Math.floor(3e6 / domain);
    const grr = generalizedRandomizedResponse({ domain, epsilon0: EPSILON0 });
    result.push(...oracleRows(grr, plainGrr(domain, stream), 400_000));
    for (const oracle of [
      optimizedUnaryEncoding({ domain, epsilon0: EPSILON0 }),
      symmetricUnaryEncoding({ domain, epsilon0: EPSILON0 }),
    ]) {
      const { own, other } = oracle.supportProbability;
      result.push(...oracleRows(oracle, plainUnary(domain, own, other, stream), users));
    }
    const subset = subsetSelection({ domain, epsilon0: EPSILON0 });
    const plain = plainSubset(domain, subset.subsetSize, subset.supportProbability.own, stream);
    result.push(...oracleRows(subset, plain, users));
    const hashing = localHashing({ domain, epsilon0: EPSILON0 });
    result.push(
      ...oracleRows(
        hashing,
        plainLocalHash(hashing.hashRange, stream),
        200_000,
        hashSupports(hashing.hashRange),
      ),
    );
    const hadamard = hadamardResponse({ domain, epsilon0: EPSILON0 });
    result.push(...oracleRows(hadamard, plainHadamard(hadamard.order, stream), 400_000, hadamardSupports));
  }
  return result;
}
