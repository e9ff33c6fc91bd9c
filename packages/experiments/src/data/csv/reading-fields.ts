/** The fields of a config that say how a file of columns is read. */
import * as z from 'zod';
import { oneOf } from '../../documents/fields.ts';
import { MISSING_POLICIES } from './reading-policy.ts';

export const readingFields = {
  header: z
    .union([z.boolean(), z.literal('auto')], { error: 'true, false or auto' })
    .optional()
    .describe(
      "Whether the first line is a header; by default 'auto': it is where its cell is a name over numbers, or the only name that occurs once. A column that is named has one.",
    ),
  missing: oneOf(MISSING_POLICIES)
    .optional()
    .describe(
      "What becomes of missing values, which are empty, NA, NaN, null or ?. 'refuse' (default): the file is refused, naming the line; 'skip': the user is left out; 'category': they are one more category.",
    ),
};
