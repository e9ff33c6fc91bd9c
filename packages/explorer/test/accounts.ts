/**
 * Accounts at random settings of the pages beside the page Account, for a browser and for Node: both must
 * give the same bits.
 */
import { RandomStream } from '@shuffle-dp/core';
import { composeMechanisms, mechanismCard } from '@shuffle-dp/experiments/account';
import { personalizedAccount, writtenBudgets } from '@shuffle-dp/experiments/personalized';
import { plan, type PlanTask } from '@shuffle-dp/experiments/plan';

const ROUNDS = ['grr', 'binary-rr', 'oue', 'duchi', 'hadamard'];
const BUDGETS = ['uniform(0.05,1)', 'gaussian(0.5,0.2,0.05,1)', '0.1,0.3,0.3,0.8,1.2', 'constant(0.5)'];
const MECHANISMS = ['grr', 'laplace', 'clip-laplace', 'gaussian'] as const;
const TASKS: readonly PlanTask[] = ['mean', 'frequencies', 'sum'];
const DELTAS = [1e-4, 1e-5, 1e-6, 1e-8];

/** @param count of compositions, and of crowds with budgets of their own; @param plans that are made */
export function accounts(seed: string, count: number, plans: number): unknown[] {
  const stream = RandomStream.fromSeed(seed);
  const between = (low: number, high: number): number => low + (high - low) * stream.next();
  const numbers = Array.from({ length: count }, (_, i) => i);
  return [
    ...numbers.map((i) => {
      const mechanism = ROUNDS[i % ROUNDS.length]!;
      const parameters = { ...mechanismCard(mechanism).example, epsilon0: between(0.3, 1.8) };
      const users = 300 + stream.integerBelow(20_000);
      const rounds = 2 + stream.integerBelow(30);
      const { bracket } = composeMechanisms([{ mechanism, parameters, users, rounds }], {
        delta: DELTAS[i % 4]!,
      });
      return { mechanism, parameters, users, rounds, bracket };
    }),
    ...numbers.map((i) => {
      const budgets = writtenBudgets(
        BUDGETS[i % 4]!,
        i % 4 === 2 ? undefined : 200 + stream.integerBelow(800),
        seed,
      )!;
      const mechanism = MECHANISMS[(i >> 2) % 4]!;
      const delta = DELTAS[stream.integerBelow(4)]!;
      const setting = {
        mechanism,
        delta,
        localDelta: mechanism === 'gaussian' ? 1e-10 : 0,
        domain: 10,
        levels: 4,
        clip: 1,
      };
      return personalizedAccount({ ...setting, budgets });
    }),
    ...numbers.slice(0, plans).map((i) => {
      const task = TASKS[i % TASKS.length]!;
      const domain = task === 'frequencies' ? { domain: 16 } : {};
      const setting = {
        task,
        users: 2000,
        epsilon: between(0.4, 1.2),
        delta: 1e-6,
        limits: { bits: 32 },
        ...domain,
      };
      return plan(setting).rows.map(({ protocol, error, epsilon }) => ({ protocol, error, epsilon }));
    }),
  ];
}

declare global {
  var shuffleDpAccounts: typeof accounts;
}

globalThis.shuffleDpAccounts = accounts;
