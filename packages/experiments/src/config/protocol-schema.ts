/** What a config may say of a protocol. */
import { z } from 'zod';
import { integer, name, number, oneOf, positive, swept, sweptPositive, text } from './fields.ts';

const seconds = 'seconds from 0.1 to 3600';
const success = 'a number from 0.01 to below 1';
const blanketFields = {
  blankets: oneOf(['paper', 'poisson', 'negative-binomial'])
    .optional()
    .describe('How the blanket messages of a user are counted out.'),
  successProbability: swept(number(success).min(0.01, { error: success }).lt(1, { error: success }), success)
    .optional()
    .describe(
      "Of negative-binomial blankets, default 0.5: the variance of an item's blankets is their mean over this.",
    ),
};
const setAccounting = oneOf(['group', 'original', 'exact']);
const label = name.optional().describe("Name in tables and charts; the protocol's own by default.");
const histogramFields = {
  label,
  accounting: oneOf(['blanket', 'variation-ratio']).optional(),
  blanketRate: sweptPositive
    .optional()
    .describe('Blanket messages of a user on average; by default the fewest that meet privacy.epsilon.'),
};
const openUnit = (allowed: string, most: number) =>
  swept(number(allowed).gt(0, { error: allowed }).lt(most, { error: allowed }), allowed).optional();
const subsetSize = swept(integer(1), 'an integer of at least 1').optional().describe('Items in a message.');
const hashRange = swept(integer(2), 'an integer of at least 2').optional();

export const protocolSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      kind: z.literal('segmented'),
      label,
      blanketRate: swept(
        z.union([positive, z.literal('optimal')], { error: "a positive number or 'optimal'" }),
        "a positive number, 'optimal'",
      )
        .optional()
        .describe("Expected blanket messages of a user; 'optimal' (default) minimises the error bound."),
      ...blanketFields,
      slots: swept(integer(1), 'an integer of at least 1')
        .optional()
        .describe(
          "Of the paper's blankets: slots of a user, at least blanketRate; default ceil(blanketRate).",
        ),
      accounting: oneOf(['published', 'exact']).optional(),
      levelEpsilon: sweptPositive.optional().describe('Central epsilon (nats) for the choices of level.'),
    }),
    z.strictObject({
      kind: z.literal('subexp-local'),
      label,
      epsilon0: sweptPositive.optional().describe('Local budget in nats; default the largest level.'),
      subsetSize,
    }),
    z.strictObject({
      kind: z.literal('subexp-shuffled'),
      label,
      epsilon: sweptPositive.optional().describe('Central target in nats; default the smallest level.'),
      accounting: oneOf(['variation-ratio', 'blanket']).optional(),
      subsetSize,
    }),
    z.strictObject({
      kind: z.literal('balls-into-bins'),
      label,
      epsilon: sweptPositive.optional().describe('Central target in nats; default the smallest level.'),
      accounting: setAccounting.optional(),
      ...blanketFields,
    }),
    z.strictObject({
      kind: z.literal('sep-mm'),
      label,
      accounting: setAccounting.optional(),
      ...blanketFields,
    }),
    z.strictObject({
      kind: z.literal('weighted-sep-mm'),
      label,
      weights: oneOf(['square-root', 'inverse']).optional(),
      accounting: setAccounting.optional(),
      ...blanketFields,
    }),
    z.strictObject({
      kind: z.literal('frequency'),
      label,
      randomizer: swept(
        oneOf(['grr', 'binary-rr', 'oue', 'subset', 'local-hash', 'hadamard']),
        'one of grr, binary-rr, oue, subset, local-hash, hadamard',
      ),
      epsilon0: sweptPositive
        .optional()
        .describe('Local budget in nats; by default the largest that meets privacy.epsilon.'),
      accounting: oneOf(['blanket', 'variation-ratio']).optional(),
      subsetSize,
      hashRange,
    }),
    z.strictObject({
      kind: z.literal('own-randomizer'),
      label,
      module: text('the path of a JavaScript or TypeScript module').describe(
        'Its default export makes a frequency oracle from { domain, epsilon0, …options }; relative to the config.',
      ),
      options: z
        .record(z.string(), number('a number'), { error: 'names with numbers' })
        .optional()
        .describe('Further parameters of the randomizer; one that the module does not read is refused.'),
      timeLimit: number(seconds)
        .min(0.1, { error: seconds })
        .max(3600, { error: seconds })
        .default(3)
        .describe(
          'Seconds that loading the module, or one of its calls, may take while it is checked; in trials twenty times as many, and 10 µs more for each user.',
        ),
      epsilon0: sweptPositive
        .optional()
        .describe('Local budget in nats; by default the largest that meets privacy.epsilon.'),
      accounting: oneOf(['blanket', 'variation-ratio']).optional(),
    }),
    z.strictObject({
      kind: z.literal('range-queries'),
      label,
      branching: swept(integer(2), 'an integer of at least 2')
        .optional()
        .describe('Children of a node of the hierarchy; default 2.'),
      epsilon0: sweptPositive
        .optional()
        .describe('Local budget in nats; by default the largest that meets privacy.epsilon.'),
      accounting: oneOf(['blanket', 'variation-ratio']).optional(),
    }),
    z.strictObject({ kind: z.literal('pure-dump'), ...histogramFields }),
    z.strictObject({
      kind: z.literal('mix-dump'),
      ...histogramFields,
      flip: openUnit('in (0, 1)', 1).describe('Probability that a data message leaves its bin; default 0.1.'),
    }),
    z.strictObject({
      kind: z.literal('balls-into-bins-histogram'),
      ...histogramFields,
      hashRange: hashRange.describe('Buckets, a prime; default the prime nearest to the domain, up to 101.'),
    }),
    z.strictObject({
      kind: z.literal('cheu-zhilyaev'),
      ...histogramFields,
      flip: openUnit('in (0, 1/2)', 0.5).describe(
        'Probability that a bit is flipped; by default the least that meets privacy.epsilon, with one blanket row per user.',
      ),
    }),
    z.strictObject({
      kind: z.literal('balcer-cheu'),
      ...histogramFields,
      coin: openUnit('in (0, 1)', 1).describe('Probability that a blanket message is 1; default 1/2.'),
    }),
  ],
  { error: 'a protocol' },
);
