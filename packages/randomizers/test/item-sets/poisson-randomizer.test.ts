import { expect, test } from 'vitest';
import { RandomStream, type ShuffledMessages } from '@shuffle-dp/core';
import { chiSquareTest } from '@shuffle-dp/core/testkit';
import { poissonRandomizer, type ItemColumns } from '@shuffle-dp/randomizers';
import { range, total } from '../laws/enumeration.ts';
import { sets } from './held-sets.ts';

/** Correct code fails one of the tests here with probability below 1e-5. */
const SIGNIFICANCE = 1e-7;

test('negative-binomial blankets: an item has its negative binomial number of them, whatever the others have', () => {
  const [users, blanketRate, q] = [8, 0.75, 0.4];
  const randomizer = poissonRandomizer({
    domain: 3,
    items: 1,
    rates: Float64Array.of(0),
    blanketRate,
    blankets: 'negative-binomial',
    successProbability: q,
  });
  const data = sets(
    3,
    range(users).map(() => [0]),
  );
  // Mean 2 an item, so the shape is 2 q / (1 - q).
  const masses = [Math.exp(((2 * q) / (1 - q)) * Math.log(q))];
  for (let k = 1; k < 8; k++) {
    masses.push((masses[k - 1]! * (1 - q) * ((2 * q) / (1 - q) + k - 1)) / k);
  }
  masses.push(1 - total(masses));
  const trials = 20_000;
  const observed = new Float64Array(81);
  const stream = RandomStream.fromSeed('negative-binomial blankets');
  for (let trial = 0; trial < trials; trial++) {
    const messages = randomizer.allocate(users);
    randomizer.randomizeInto(data, messages, stream);
    const counts = randomizer.supportCounts(messages as unknown as ShuffledMessages<ItemColumns>);
    const cell = 9 * Math.min(counts[0]!, 8) + Math.min(counts[2]!, 8);
    observed[cell] = observed[cell]! + 1;
  }
  const expected = range(81).map((cell) => trials * masses[Math.floor(cell / 9)]! * masses[cell % 9]!);
  expect(chiSquareTest(observed, expected).pValue).toBeGreaterThan(SIGNIFICANCE);
});

test('Poisson randomizer: rates 0 and 1 are certain', () => {
  const randomizer = poissonRandomizer({
    domain: 5,
    items: 2,
    rates: Float64Array.of(0, 1),
    blanketRate: 1e-12,
    blankets: 'paper',
  });
  const rows = range(9000).map((user) => (user % 2 === 0 ? [0, 1] : [2, 4]));
  const data = sets(
    5,
    rows,
    range(9000).map((user) => user % 2),
  );
  const messages = randomizer.allocate(9000);
  randomizer.randomizeInto(data, messages, RandomStream.fromSeed('certain'));
  const counts = randomizer.supportCounts(messages as unknown as ShuffledMessages<ItemColumns>);
  expect(Array.from(counts)).toEqual([0, 0, 4500, 0, 4500]);
});

test.each([3, 4, 6])('Poisson randomizer, %d items: every set of items sent has its probability', (items) => {
  const rates = [0.37, 0.9, 1e-9];
  const users = 9000;
  // No item is held twice, so that the counts tell what each user has sent.
  const data = sets(
    users * items,
    range(users).map((user) => range(items).map((i) => user * items + i)),
    range(users).map((user) => user % rates.length),
  );
  const randomizer = poissonRandomizer({
    domain: data.domain,
    items,
    rates: Float64Array.from(rates),
    blanketRate: 1e-12,
    blankets: 'paper',
  });
  const stream = RandomStream.fromSeed(`sets sent ${items}`);
  const observed = rates.map(() => new Float64Array(2 ** items));
  const trials = 10;
  for (let trial = 0; trial < trials; trial++) {
    const messages = randomizer.allocate(users);
    randomizer.randomizeInto(data, messages, stream);
    const counts = randomizer.supportCounts(messages as unknown as ShuffledMessages<ItemColumns>);
    for (let user = 0; user < users; user++) {
      let row = 0;
      for (let i = 0; i < items; i++) row |= counts[user * items + i]! << i;
      observed[user % rates.length]![row]!++;
    }
  }
  rates.forEach((rate, level) => {
    const expected = range(2 ** items).map((row) =>
      range(items).reduce(
        (chance, i) => chance * ((row >> i) & 1 ? rate : 1 - rate),
        (trials * users) / rates.length,
      ),
    );
    expect(chiSquareTest(observed[level]!, expected).pValue).toBeGreaterThan(SIGNIFICANCE);
  });
});

test('Poisson randomizer: more items than a block holds are refused', () => {
  const parameters = {
    domain: 2 ** 17,
    rates: Float64Array.of(1),
    blanketRate: 1,
    blankets: 'paper',
  } as const;
  expect(() => poissonRandomizer({ ...parameters, items: 65_537 })).toThrow(
    'items = 65537: must be an integer from 1 to 65536',
  );
  const randomizer = poissonRandomizer({ ...parameters, domain: 65_536, items: 65_536 });
  const messages = randomizer.allocate(2);
  const data = sets(
    65_536,
    range(2).map(() => range(65_536)),
  );
  randomizer.randomizeInto(data, messages, RandomStream.fromSeed('a block'));
  const counts = randomizer.supportCounts(messages as unknown as ShuffledMessages<ItemColumns>);
  expect(total(counts)).toBe(2 * 65_536 + 2);
});
