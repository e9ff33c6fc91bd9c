/** Random points of the page Account: a mechanism near its example, some users, a delta. */
import { RandomStream, checkParameter } from '@shuffle-dp/core';
import { accountMechanism, MECHANISMS } from '@shuffle-dp/experiments/account';
import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { accountCommand } from '../../src/account/account-texts.ts';
import type { AccountSetting } from '../../src/account/contract.ts';
import { sixDigitEnd, writtenNumber } from '../../src/words/numbers.ts';
import { goTo, sharpAnswer } from '../browser.ts';

/** @param names mechanisms that are drawn from; all by default */
export function randomPoints(seed: string, count: number, names?: readonly string[]): AccountSetting[] {
  const stream = RandomStream.fromSeed(seed);
  const cards = MECHANISMS.filter(({ name }) => names?.includes(name) ?? true);
  return Array.from({ length: count }, (_, i) => {
    const card = cards[i % cards.length]!;
    const parameters = Object.fromEntries(
      Object.entries(card.example).map(([name, value]) => {
        const spec = card.parameters.find((known) => known.name === name)!;
        const moved = Number((value * (0.6 + 0.8 * stream.next())).toPrecision(3));
        try {
          return [name, checkParameter(spec, moved, card.example)] as const;
        } catch {
          return [name, value] as const;
        }
      }),
    );
    const users = Math.round(10 ** (2.5 + 2.5 * stream.next()));
    const delta = Number((10 ** (-4 - 5 * stream.next())).toPrecision(3));
    return { mechanism: card.name, parameters, users, target: { delta } };
  });
}

/** Where the page shows the point. */
export function hashOf({ mechanism, parameters, users, target }: AccountSetting): string {
  const numbers = Object.entries({ ...parameters, users, ...target });
  return `#account?mechanism=${mechanism}&${numbers.map(([name, value]) => `${name}=${writtenNumber(value)}`).join('&')}`;
}

/** The page says of the point what the command prints, down to the last bit (core's Real). */
export async function expectSameDigits(page: Page, point: AccountSetting): Promise<void> {
  await goTo(page, hashOf(point));
  const { mechanism, parameters, users, target } = point;
  const { text, lower, upper } = await sharpAnswer(page, accountCommand(point));
  const { bracket } = accountMechanism(mechanism, parameters, users, target);
  const told = { point: hashOf(point), text: sixDigitEnd(bracket.upper, 'upper'), ...bracket };
  expect({ point: hashOf(point), text, lower, upper }).toEqual(told);
}
