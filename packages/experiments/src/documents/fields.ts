/** The kinds of fields that configs are made of; every refusal says what is allowed. */
import * as z from 'zod';
import { hasControls } from '../words/control-characters.ts';
import { ExpressionError, parseExpression } from './expression.ts';
import { LIMITS } from './limits.ts';

export const number = (allowed: string) => z.number({ error: allowed });
export const positive = number('a positive number').gt(0, { error: 'a positive number' });
export const nonNegative = number('zero or a positive number').min(0, { error: 'zero or a positive number' });
/** Ends included. */
export const unit = number('in [0, 1]').min(0, { error: 'in [0, 1]' }).max(1, { error: 'in [0, 1]' });
/** Ends excluded. */
export const openUnit = number('in (0, 1)').gt(0, { error: 'in (0, 1)' }).lt(1, { error: 'in (0, 1)' });
export const integer = (low: number, high = Number.MAX_SAFE_INTEGER) => {
  const allowed =
    high === Number.MAX_SAFE_INTEGER ? `an integer of at least ${low}` : `an integer from ${low} to ${high}`;
  return number(allowed).int({ error: allowed }).min(low, { error: allowed }).max(high, { error: allowed });
};
/** One line, without characters that a terminal or a drawing would obey. */
export const text = (allowed: string) =>
  z
    .string({ error: allowed })
    .min(1, { error: allowed })
    .refine((value) => !hasControls(value), { error: `${allowed} without control characters` });
/** What tables and charts call something. */
export const name = text('a name').max(LIMITS.names.most, {
  error: `a name of at most ${LIMITS.names.most} characters`,
});
/** A column of a table. */
export const columnName = z.union([text('a name'), integer(0)], {
  error: 'the name of a column or its number, from 0',
});
/** A text that may have several lines. */
const sentence = z
  .string({ error: 'a sentence' })
  .min(1, { error: 'a sentence' })
  .refine((value) => !hasControls(value.replaceAll(/[\r\n\t]/gu, ' ')), {
    error: 'a sentence without control characters',
  });
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `one of ${words.join(', ')}` });
/** A value, or a list of different values to sweep over. */
export const swept = <Value extends z.ZodType>(value: Value, allowed: string) =>
  z.union(
    [
      value,
      z
        .array(value, { error: allowed })
        .min(1, { error: `${allowed} or a list of them` })
        .max(LIMITS.cells.most, { error: `a list of at most ${LIMITS.cells.most}` })
        .superRefine((list, context) => {
          const known = new Set<unknown>();
          const twice = list.findIndex((entry) => known.size === known.add(entry).size);
          if (twice >= 0) context.addIssue({ code: 'custom', path: [twice], message: 'listed once' });
        }),
    ],
    { error: `${allowed} or a list of them` },
  );
export function asList<Value>(value: Value | readonly Value[]): readonly Value[] {
  return Array.isArray(value) ? (value as readonly Value[]) : [value as Value];
}

/** A positive number, or a list of them to sweep over. */
export const sweptPositive = swept(positive, 'a positive number');

/** A failure probability: a number, or an expression of n, d and s. */
export const delta = z
  .union(
    [
      openUnit,
      text('an expression').max(LIMITS.expression.most, {
        error: `an expression of at most ${LIMITS.expression.most} characters`,
      }),
    ],
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
const NAME = 'a letter or digit, then letters, digits, dots, dashes and underscores';
const runName = z
  .string({ error: `${NAME}; in quotes where it is a number` })
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/u, { error: NAME })
  .max(LIMITS.names.most, { error: `at most ${LIMITS.names.most} characters long` })
  .describe('Names the folder of the results.');

/** A text or a whole number, as text. */
const SEED = `a text, or a whole number from 0 to ${Number.MAX_SAFE_INTEGER}; in quotes it is a text`;
const seed = z
  .union([text(SEED), number(SEED).int({ error: SEED }).min(0, { error: SEED })], { error: SEED })
  .transform(String)
  .describe('Names the random numbers of the whole run.');

/** What stands first in every config. */
export const headFields = {
  $schema: z.string().optional(),
  name: runName,
  question: sentence.optional().describe('What the experiment asks; shown in the report.'),
  seed,
};
