// Flags that the command does not use as it is called: one line, exit code 2, and no work.
import { expect, it } from 'vitest';
import { EXIT_USAGE, exitCodeOf } from '../src/exit.ts';
import { buildProgram } from '../src/main.ts';

it.each([
  ['compose --schedule none.yaml --delta 1e-6 --epsilon0 1', '--epsilon0 is not used with --schedule'],
  ['personalized --budgets 1,2 --delta 1e-6 --seed a', '--seed is for budgets that are drawn'],
  ['personalized --budgets 1,2 --delta 1e-6 --domain 16', '--domain is for grr, not for laplace'],
  ['personalized --budgets 1,2 --delta 1e-6 --clip 2', '--clip is for Gaussian noise, not for laplace'],
  ['run none.yaml --shard 1/2 --no-report', '--no-report is not used with --shard'],
])('%s', async (line, reason) => {
  const args = line.split(' ');
  const program = await buildProgram(args);
  const end: unknown = await program
    .parseAsync(['node', 'shuffle-dp', ...args])
    .catch((error: unknown) => error);
  expect(String(end)).toContain(reason);
  expect(exitCodeOf(end)).toBe(EXIT_USAGE);
});
