/** What a config says of users who collude, stay away, or send what they like (docs/threats.md). */
import { POISONING_ATTACKS } from '@shuffle-dp/protocols';
import * as z from 'zod';
import { name, number, oneOf, swept } from '../documents/fields.ts';
import { LIMITS } from '../documents/limits.ts';

const ALLOWED = 'a number in [0, 1)';
const share = swept(number(ALLOWED).min(0, { error: ALLOWED }).lt(1, { error: ALLOWED }), ALLOWED);

const threatSchema = z.strictObject({
  colluding: share
    .optional()
    .describe(
      'Share of the users, rounded up, who tell the adversary all they know; or a list to sweep over.',
    ),
  dropout: share
    .optional()
    .describe(
      'Probability with which each other user stays away, whatever they hold; or a list to sweep over.',
    ),
  poisoning: z
    .strictObject({
      fraction: share.describe('Share of the users, rounded up, who are fake; or a list to sweep over.'),
      attack: oneOf(POISONING_ATTACKS)
        .default('input')
        .describe(
          "What fake users send. 'maximal-gain': the message that supports most targets; 'random-item': the honest randomizer on a random " +
            "target; 'input': the honest randomizer on targets dealt in turn, for numbers on the upper end of the range; 'random-message': a random message.",
        ),
      targets: z
        .array(z.union([number('a category').int().min(0), name], { error: 'a category' }), {
          error: 'a list of categories',
        })
        .min(1, { error: 'a list of at least one category' })
        .max(LIMITS.domain.most)
        .optional()
        .describe('Categories that fake users promote: their numbers, from 0, or the names of the data.'),
    })
    .optional(),
});

/** One setting, or a list of them: each with lists of its own, all of which are run. */
export const threatsSchema = z
  .union(
    [
      threatSchema,
      z
        .array(threatSchema)
        .min(1, { error: 'a list of at least one setting' })
        .max(100, { error: 'a list of at most 100 settings' }),
    ],
    { error: 'colluding, dropout and poisoning, or a list of such settings' },
  )
  .describe(
    'Users who deviate from the protocol. Parameters are chosen as if there were none or, at equal certified privacy, for the users who are left. Privacy is that of the honest users who take part. The error is measured under attack.',
  );

export type ThreatsConfig = z.output<typeof threatsSchema>;
