/** Whatever the stated ranges allow is answered or refused, soon. */
import { expect, it } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { drawCase, runCase, shownCase } from './drawn-cases.ts';

const CASES = 400;
/** Seconds of processor time, whatever else the machine does. */
const MOST_SECONDS = 5;

it('accounts at parameters drawn over all ranges', () => {
  const stream = RandomStream.fromSeed('slow accounts');
  const wrong: string[] = [];
  for (let i = 0; i < CASES; i++) {
    const drawn = drawCase('account', stream);
    const start = process.cpuUsage();
    try {
      const outcome = runCase(drawn);
      if (!('refusal' in outcome) && !(outcome.lower >= 0 && outcome.lower <= outcome.upper))
        wrong.push(`${shownCase(drawn)}: from ${outcome.lower} to ${outcome.upper}`);
    } catch (error) {
      wrong.push(`${shownCase(drawn)}: ${String(error)}`);
    }
    const { user, system } = process.cpuUsage(start);
    const seconds = (user + system) / 1e6;
    if (seconds > MOST_SECONDS) wrong.push(`${shownCase(drawn)}: ${seconds.toFixed(1)} s`);
  }
  expect(wrong).toEqual([]);
});
