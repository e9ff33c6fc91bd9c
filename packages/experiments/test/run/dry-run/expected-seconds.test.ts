import { expect, it } from 'vitest';
import { expectedSeconds } from '../../../src/run/dry-run/expected-seconds.ts';

/** Of trials that take so long each, the first as long as given. */
async function expected(trials: number, first: number, each: number) {
  const ran: number[] = [];
  const seconds = await expectedSeconds(trials, async (from, to) => {
    ran.push(to - from);
    return (to - from - (from === 0 ? 1 : 0)) * each + (from === 0 ? first : 0);
  });
  return { seconds, ran };
}

it('a first trial that takes longer than the others counts once', async () => {
  const { seconds, ran } = await expected(1000, 0.1, 0.001);
  expect(seconds).toBeCloseTo(0.1 + 999 * 0.001, 9);
  expect(ran).toEqual([1, 2, 6, 18, 54]);
});

it('one that makes tables for seconds is followed by others', async () => {
  const { seconds, ran } = await expected(400, 2.5, 0.012);
  expect(seconds).toBeCloseTo(2.5 + 399 * 0.012, 9);
  expect(ran).toEqual([1, 2, 6, 18]);
});

it('one that takes very long tells alone, and two that take long do', async () => {
  expect(await expected(1000, 12, 12)).toEqual({ seconds: 12_000, ran: [1] });
  expect(await expected(10, 1, 1)).toEqual({ seconds: expect.closeTo(10, 9), ran: [1, 2] });
});

it('of a long run more is run', async () => {
  const { seconds, ran } = await expected(1e6, 0.001, 0.0001);
  expect(seconds).toBeCloseTo(100, 0);
  expect(ran.reduce((sum, each) => sum + each)).toBeGreaterThan(5000);
});

it('no more trials are run than there are', async () => {
  expect((await expected(1, 0.01, 0.01)).ran).toEqual([1]);
  const { seconds, ran } = await expected(5, 0.001, 0.002);
  expect(seconds).toBeCloseTo(0.009, 9);
  expect(ran).toEqual([1, 2, 2]);
});
