/** Sets of items: users sent, shuffled and counted a second, beside arrays and closures. */
import { RandomStream, type SetValuedData } from '@shuffle-dp/core';
import { poissonRandomizer, subsetExponential } from '@shuffle-dp/randomizers';
import { shuffle } from '@shuffle-dp/shuffler';
import { fastest, rateRow, type BenchmarkRow } from './row.ts';

const EPSILON0 = 1;
const MILLION = 1e6;

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
    const counts = Array.from({ length: domain }, () => 0);
    for (const item of messages) counts[item]!++;
  };
}

export function rows(): BenchmarkRow[] {
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
