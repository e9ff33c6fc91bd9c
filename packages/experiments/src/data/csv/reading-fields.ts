/** The fields of a config that say how a file of columns is read. */
import * as z from 'zod';
import { oneOf } from '../../documents/fields.ts';
import { MISSING_POLICIES } from './reading-policy.ts';

export const readingFields = {
  header: z
    .union([z.boolean(), z.literal('auto')], { error: 'true, false or auto' })
    .optional()
    .describe(
      "Whether the first line is a header. 'auto' (default): it is one where its cell is a name above numbers, or the only value of the column that occurs once. A column given by its name always has a header.",
    ),
  missing: oneOf(MISSING_POLICIES)
    .optional()
    .describe(
      "Treatment of missing values: empty, NA, NaN, null or ?. 'refuse' (default): the file is refused, naming the line; 'skip': the user is left out; 'category': they are one more category.",
    ),
};

/** Where a missing value is no category. */
export const lineFields = {
  header: readingFields.header,
  missing: oneOf(['refuse', 'skip'])
    .optional()
    .describe(
      "Treatment of missing values: empty, NA, NaN, null or ?. 'refuse' (default): the file is refused, naming the line; 'skip': the line is left out.",
    ),
};
