// @module-tag long
/** How far an account is from a calibration at most, and what sharper calibration gains: two how-to pages. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createNumberProtocol } from '@shuffle-dp/protocols';
import { accountMechanism } from '../../src/account/account.ts';
import { calibrateMechanism } from '../../src/account/calibrate-mechanism.ts';
import { evenNumbers } from '../../src/plan/even-data.ts';

const pageOf = (name: string): string =>
  readFileSync(new URL(`../../../../docs/how-to/${name}.md`, import.meta.url), 'utf8');
const calibrate = pageOf('calibrate');
const DELTA = 1e-6;

it.each([
  ['vector-rr', { bits: 4 }, 1, -1, /less, by up to ([\d.]+) %/u],
  ['planar-laplace', { reach: 2 }, 0.3, 1, /more, by up to ([\d.]+) %/u],
] as const)('%s of 500 users', (mechanism, given, epsilon, sign, words) => {
  const { found, calibrated } = calibrateMechanism(mechanism, given, {
    users: 500,
    epsilon,
    delta: DELTA,
    rounds: 1,
  });
  const { bracket } = accountMechanism(mechanism, { ...given, [calibrated]: found.value }, 500, {
    delta: DELTA,
  });
  const percent = 100 * sign * (bracket.upper / epsilon - 1);
  expect(Math.ceil(10 * percent) / 10).toBe(Number(words.exec(calibrate)![1]));
});

it('budgets of Laplace noise are told rounded down', () => {
  const [, here, config] = /has ([\d.]+) here, and ([\d.]+) in a config/u.exec(calibrate)!;
  const target = { users: 3000, epsilon: 0.7, delta: 1e-5 };
  const { found } = calibrateMechanism('laplace', {}, { ...target, rounds: 1 });
  const { parameters } = createNumberProtocol({ kind: 'mean', randomizer: 'laplace' }, target);
  const { epsilon0 } = parameters as { readonly epsilon0?: number };
  expect([here, config].map(Number)).toEqual(
    [found.value, epsilon0!].map((value) => Math.floor(1e4 * value) / 1e4),
  );
});

it.each([
  ['laplace', 100_000, 0.02],
  ['laplace', 1e8, 5e-4],
  ['clip-laplace', 1e8, 4e-4],
  ['gaussian', 100_000, 0.015],
] as const)('the sharper bound divides errors of %s, %i users, by no more', (randomizer, users, epsilon) => {
  const [, most] = /divided errors by ([\d.]+) at most/u.exec(pageOf('plan-a-deployment'))!;
  const [byBlanket, bySharper] = (['blanket', 'sharpest'] as const).map((accounting) =>
    createNumberProtocol({ kind: 'mean', randomizer, accounting }, { users, epsilon, delta: DELTA })
      .expectedError!(evenNumbers(users))!,
  );
  expect(byBlanket! / bySharper!).toBeLessThan(Number(most));
});
