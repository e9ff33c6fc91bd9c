/**
 * The fields that configs share whose trials learn from rounds of shuffled histograms, at several numbers of
 * messages.
 */
import { ConfigError } from '../documents/config-error.ts';
import { delta, headFields, integer, oneOf, openUnit, positive, swept } from '../documents/fields.ts';
import { SIMULATION_PATHS } from '@shuffle-dp/core';
import * as z from 'zod';
import type { MessageSweep } from './message-sweep.ts';

/** What stands first in such a config. */
export const sweepHeadFields = {
  ...headFields,
  trials: integer(1, 10_000).describe('Repetitions, each with a split of the users and noise of its own.'),
  simulation: oneOf(SIMULATION_PATHS).default('aggregated'),
};

export const testShare = openUnit.default(0.2).describe('Share of the users that only tests.');

/** How much users send, and what that may give away. */
export const messageFields = {
  messagesPerUser: swept(integer(2, 1_000_000), 'an integer of at least 2')
    .optional()
    .describe('Messages that a user sends in each round, blankets included.'),
  epsilon: swept(positive, 'a positive number')
    .optional()
    .describe('In place of messagesPerUser: central targets; the least messages that meet them are sent.'),
  privacy: z.strictObject({
    delta: delta.describe(
      'Central failure probability over all rounds; n is the number of users learnt from.',
    ),
  }),
};

/** @param file the name to use in the message @throws ConfigError where both or neither are given */
export function requireOneSweep(
  { messagesPerUser, epsilon }: MessageSweep<never, never>['config'],
  file: string,
): void {
  if ((messagesPerUser === undefined) === (epsilon === undefined))
    throw new ConfigError(`${file}: exactly one of messagesPerUser and epsilon must be given`);
}
