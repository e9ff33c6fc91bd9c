// @module-tag long
/**
 * Accounts of every mechanism at the ends of all ranges together: each is answered or refused within seconds.
 */
import { afterAll, expect, it } from 'vitest';
import { type MechanismCard, ParameterError, type ParameterValues, UsageError } from '@shuffle-dp/core';
import { accountMechanism } from '../../src/account/account.ts';
import { MECHANISMS } from '../../src/account/mechanisms.ts';
import { parameterAxis } from '../../src/account/parameter-axis.ts';
import { parameterOfTarget } from '../../src/account/calibrate-mechanism.ts';
import { otherParameters } from './other-parameters.ts';

const DELTAS = [0, 1e-300, 0.999];
const USERS = [1, 2, 3000, 1e6, 1e12];
const BUDGETS = [1e-9, 0.1, 1, 8, 300];
/** Of a parameter that is no budget: from one end of its axis to the other. */
const ALONG = [0, 0.35, 0.5, 0.65, 1];
/** Seconds of processor time, whatever else the machine does. */
const MOST_SECONDS = 5;

const told = { cases: 0, refused: 0, seconds: 0, slowest: 0, which: '' };
afterAll(() => console.log(JSON.stringify(told)));

it.each(MECHANISMS.map((card) => ({ name: card.name, card })))('$name', ({ card }) => {
  const wrong: string[] = [];
  for (const parameters of valuesOf(card))
    for (const users of USERS)
      for (const delta of DELTAS) wrong.push(...complaints(card, parameters, users, delta));
  expect(wrong).toEqual([]);
});

function valuesOf(card: MechanismCard): ParameterValues[] {
  const spec = parameterOfTarget(card);
  const others = otherParameters(card);
  if (spec.name === 'epsilon0') return BUDGETS.map((epsilon0) => ({ ...others, epsilon0 }));
  const { valueAt, mostPrivate, leastPrivate } = parameterAxis(spec, others);
  return ALONG.map((share) => ({
    ...others,
    [spec.name]: valueAt(mostPrivate + share * (leastPrivate - mostPrivate)),
  }));
}

function complaints(
  card: MechanismCard,
  parameters: ParameterValues,
  users: number,
  delta: number,
): string[] {
  const shown = `${card.name} ${JSON.stringify(parameters)} ${users} users, delta ${delta}`;
  const wrong: string[] = [];
  const start = process.cpuUsage();
  try {
    const { lower, upper } = accountMechanism(card.name, parameters, users, { delta }).bracket;
    if (!(lower >= 0 && lower <= upper)) wrong.push(`${shown}: from ${lower} to ${upper}`);
  } catch (error) {
    if (error instanceof ParameterError || error instanceof UsageError) told.refused++;
    else wrong.push(`${shown}: ${String(error)}`);
  }
  const { user, system } = process.cpuUsage(start);
  const seconds = (user + system) / 1e6;
  told.cases++;
  told.seconds += seconds;
  if (seconds > told.slowest) [told.slowest, told.which] = [seconds, shown];
  if (seconds > MOST_SECONDS) wrong.push(`${shown}: ${seconds.toFixed(1)} s`);
  return wrong;
}
