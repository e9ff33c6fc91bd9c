/** The kinds of fields that configs are made of; every refusal says what is allowed. */
import { z } from 'zod';
import { ExpressionError, parseExpression } from './expression.ts';

export const number = (allowed: string) => z.number({ error: allowed });
export const positive = number('a positive number').gt(0, { error: 'a positive number' });
export const integer = (low: number, high = Number.MAX_SAFE_INTEGER) => {
  const allowed =
    high === Number.MAX_SAFE_INTEGER ? `an integer of at least ${low}` : `an integer from ${low} to ${high}`;
  return number(allowed).int({ error: allowed }).min(low, { error: allowed }).max(high, { error: allowed });
};
export const text = (allowed: string) => z.string({ error: allowed }).min(1, { error: allowed });
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `one of ${words.join(', ')}` });
/** A value, or a list of values to sweep over. */
export const swept = <Value extends z.ZodType>(value: Value, allowed: string) =>
  z.union([value, z.array(value, { error: allowed }).min(1, { error: `${allowed} or a list of them` })], {
    error: `${allowed} or a list of them`,
  });
export function asList<Value>(value: Value | readonly Value[]): readonly Value[] {
  return Array.isArray(value) ? (value as readonly Value[]) : [value as Value];
}

/** A positive number, or a list of them to sweep over. */
export const sweptPositive = swept(positive, 'a positive number');

/** A failure probability: a number, or an expression of n, d and s. */
export const delta = z
  .union(
    [number('in (0, 1)').gt(0, { error: 'in (0, 1)' }).lt(1, { error: 'in (0, 1)' }), text('an expression')],
    {
      error: 'a number in (0, 1) or an expression of n, d and s such as 0.01/n',
    },
  )
  .superRefine((value, context) => {
    if (typeof value !== 'string') return;
    try {
      parseExpression(value);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      context.addIssue({
        code: 'custom',
        message: `a number in (0, 1) or an expression of n, d and s such as 0.01/n: ${error.message}`,
      });
    }
  });

/** Names the folder of the results. */
export const runName = z
  .string({ error: 'letters, digits, dots, dashes and underscores' })
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/u, { error: 'letters, digits, dots, dashes and underscores' })
  .describe('Names the folder of the results.');

/** A text or a whole number, as text. */
export const seed = z
  .union([text('a text or a whole number'), integer(0)], { error: 'a text or a whole number' })
  .transform(String)
  .describe('Names the random numbers of the whole run.');

/** How a file of columns is read. */
export const readingFields = {
  header: z
    .union([z.boolean(), z.literal('auto')], { error: 'true, false or auto' })
    .optional()
    .describe(
      "Whether the first line is a header; by default 'auto': it is where its cell is a name over numbers, or the only name that occurs once. A column that is named has one.",
    ),
  missing: oneOf(['refuse', 'skip', 'category'])
    .optional()
    .describe(
      "What becomes of missing values, which are empty, NA, NaN, null or ?. 'refuse' (default): the file is refused, naming the line; 'skip': the user is left out; 'category': they are one more category.",
    ),
};
