/** What a config may say of a protocol: from the protocols' cards, and for randomizers of one's own. */
import type { ProtocolField } from '@shuffle-dp/protocols';
import { SINGLE_MESSAGE_ACCOUNTINGS } from '@shuffle-dp/accounting';
import { PROTOCOL_CARDS } from './protocol-cards.ts';
import * as z from 'zod';
import { name, number, oneOf, swept, sweptPositive, text } from '../documents/fields.ts';

const label = name.optional().describe("Name in tables and charts; the protocol's own by default.");
const seconds = 'seconds from 0.1 to 3600';

const ownRandomizerSchema = z.strictObject({
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
  accounting: oneOf(SINGLE_MESSAGE_ACCOUNTINGS).optional(),
});

/** Each field of a spec, or a list of its values to sweep over. */
type Swept<Spec> = Spec extends unknown
  ? { readonly [Name in keyof Spec]: Name extends 'kind' ? Spec[Name] : Spec[Name] | Spec[Name][] } & {
      readonly label?: string;
    }
  : never;

/** A protocol as a config writes it. */
export type ProtocolConfig =
  Swept<Parameters<(typeof PROTOCOL_CARDS)[number]['create']>[0]> | z.output<typeof ownRandomizerSchema>;

const cardSchemas = PROTOCOL_CARDS.map(({ kind, fields }) =>
  z.strictObject({
    kind: z.literal(kind),
    label,
    ...Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
  }),
);

export const protocolSchema = z.discriminatedUnion(
  'kind',
  [cardSchemas[0]!, ...cardSchemas.slice(1), ownRandomizerSchema],
  {
    error: 'a protocol',
  },
) as unknown as z.ZodType<ProtocolConfig>;

function fieldSchema(field: ProtocolField): z.ZodType {
  const schema = field.type === 'number' ? numberSchema(field) : choiceSchema(field);
  const given = field.type === 'choice' && field.required ? schema : schema.optional();
  return field.description === undefined ? given : given.describe(field.description);
}

function numberSchema({ range, allowed, word }: Extract<ProtocolField, { type: 'number' }>): z.ZodType {
  const { low, high } = range;
  const words = word === undefined ? allowed : allowed.replace(`, '${word}'`, '');
  const least = low.value as number;
  const most = high.value as number;
  let value = range.integer ? number(words).int({ error: words }) : number(words);
  value = low.open ? value.gt(least, { error: words }) : value.min(least, { error: words });
  if (range.integer && most === Infinity) value = value.max(Number.MAX_SAFE_INTEGER, { error: words });
  else if (most < Infinity)
    value = high.open ? value.lt(most, { error: words }) : value.max(most, { error: words });
  return word === undefined
    ? swept(value, allowed)
    : swept(z.union([value, z.literal(word)], { error: `${words} or '${word}'` }), allowed);
}

function choiceSchema({ choices, swept: many }: Extract<ProtocolField, { type: 'choice' }>): z.ZodType {
  const value = oneOf(choices as [string, ...string[]]);
  return many ? swept(value, `one of ${choices.join(', ')}`) : value;
}
