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

it('one that takes long tells alone, and so do a few that do', async () => {
  expect(await expected(1000, 0.3, 0.001)).toEqual({ seconds: 300, ran: [1] });
  expect(await expected(10, 0.05, 0.05)).toEqual({ seconds: expect.closeTo(0.5, 9), ran: [1, 2] });
});

it('no more trials are run than there are', async () => {
  expect((await expected(1, 0.01, 0.01)).ran).toEqual([1]);
  const { seconds, ran } = await expected(5, 0.001, 0.002);
  expect(seconds).toBeCloseTo(0.009, 9);
  expect(ran).toEqual([1, 2, 2]);
});
