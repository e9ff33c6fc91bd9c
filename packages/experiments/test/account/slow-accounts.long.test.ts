// @module-tag long
/** Whatever the stated ranges allow is answered or refused, soon. */
import { describe, expect, it } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { accountMechanism } from '../../src/account/account.ts';
import { composeMechanisms } from '../../src/account/compose-account.ts';
import { drawCase, runCase, shownCase } from './drawn-cases.ts';

/**
 * In parts with seeds of their own, each of which tells by itself what is wrong; SLOW_ACCOUNTS says how many
 * parts.
 */
const PARTS = Number(process.env['SLOW_ACCOUNTS'] ?? 20);
const CASES_OF_A_PART = 20;
/**
 * Seconds of processor time, whatever else the machine does: of many rounds, and of users whose budgets are
 * their own, more than the slowest that were seen take, and less than what a fault in a search costs.
 */
const MOST_SECONDS = { account: 5, compose: 15, personalized: 15 } as const;

describe.each(['account', 'compose', 'personalized'] as const)('%s', (command) => {
  it.each(Array.from({ length: PARTS }, (_, part) => part))('drawn over all ranges, part %i', (part) => {
    const stream = RandomStream.fromSeed(`slow ${command} ${part}`);
    const wrong: string[] = [];
    for (let i = 0; i < CASES_OF_A_PART; i++) {
      const drawn = drawCase(command, stream);
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
      if (seconds > MOST_SECONDS[command]) wrong.push(`${shownCase(drawn)}: ${seconds.toFixed(1)} s`);
    }
    expect(wrong).toEqual([]);
  });
});

it.each([
  ['gaussian', { sigma: 0.7 }, 63],
  ['gaussian', { sigma: 0.35 }, 63],
  ['metric-laplace', { separation: 89, reach: 89 }, 1e6],
] as const)('composes %s %o, %i rounds, to no less than one of them', (mechanism, parameters, rounds) => {
  const target = { delta: 1e-6 };
  const one = accountMechanism(mechanism, parameters, 10_000, target).bracket;
  const start = process.cpuUsage();
  const { bracket } = composeMechanisms([{ mechanism, parameters, users: 10_000, rounds }], target);
  const { user, system } = process.cpuUsage(start);
  expect(bracket.lower).toBeGreaterThan(0.999 * one.lower);
  expect(bracket.upper).toBeGreaterThan(bracket.lower);
  // Minutes before, and some two seconds now.
  expect((user + system) / 1e6).toBeLessThan(4 * MOST_SECONDS.account);
});

it('composes pairs of many users, of whose outcomes the windows hold far more than at ordinary deltas', () => {
  const parameters = { p: 2.24, beta: 0.205, q: 150 };
  const start = process.cpuUsage();
  const round = { mechanism: 'variation-ratio', parameters, users: 1e8, rounds: 100 };
  const { bracket } = composeMechanisms([round], { epsilon: 0.999 });
  const { user, system } = process.cpuUsage(start);
  expect(bracket.upper).toBeLessThan(1e-60);
  expect((user + system) / 1e6).toBeLessThan(MOST_SECONDS.compose);
});
