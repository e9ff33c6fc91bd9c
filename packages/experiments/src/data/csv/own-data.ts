/** Data of one's own, from a file. */
import * as z from 'zod';
import { columnName } from '../../documents/fields.ts';
import { lineFields, readingFields } from './reading-fields.ts';
import { fileCategories } from '../sources/category-source.ts';
import {
  bits,
  domain,
  items,
  padding,
  pairs,
  path,
  placeFields,
  rangeFields,
  regionSides,
  setDomain,
} from '../data-fields.ts';
import { readDataFile } from '../data-file.ts';
import {
  categoryDataCard,
  identifierDataCard,
  keyValueDataCard,
  numberDataCard,
  placeDataCard,
  setDataCard,
  vectorDataCard,
} from '../data-set-card.ts';
import { fileIdentifiers } from '../sources/identifier-source.ts';
import { fileKeyValues } from '../sources/key-value-source.ts';
import { fileNumbers } from '../sources/number-source.ts';
import { filePlaces } from '../sources/place-source.ts';
import { fileSource } from '../item-sets/set-source.ts';
import { fileVectors } from '../sources/vector-source.ts';
import { parseCategories, parseItemLists } from './csv-data.ts';
import { parseIdentifiers } from './csv-identifiers.ts';
import { parseKeyValues } from './csv-key-values.ts';
import { parseNumbers, parsePlaces } from './csv-numbers.ts';
import { parseVectors } from './csv-vectors.ts';

const columnAt = (place: number) =>
  columnName.default(place).describe('A name (the first line is then a header) or a number from 0.');
const column = columnAt(0);

const SEPARATOR = 'characters that are no quote and no end of a line';

export const CSV_SETS = setDataCard({
  kind: 'csv-sets',
  description: 'A file with the items of one user a line: numbers from 0, or names.',
  fields: {
    path,
    items,
    padding,
    domain: setDomain.optional(),
    separator: z
      .string({ error: SEPARATOR })
      .regex(/^[^"\r\n]+$/u, { error: SEPARATOR })
      .default(',')
      .describe('What stands between the items of a line.'),
    ...readingFields,
  },
  open(config, file) {
    const lists = parseItemLists(readDataFile(file!), config.separator, config.domain, config);
    const source = fileSource(lists, config, file!);
    const { labels, notices, skipped } = lists;
    if (labels === null) return { ...source, notices, skipped };
    const padded = Array.from({ length: source.domain - labels.length }, (_, i) => `(padding ${i + 1})`);
    return { ...source, names: [...labels, ...padded], notices, skipped };
  },
});

export const CSV_CATEGORIES = categoryDataCard({
  kind: 'csv-categories',
  description: 'A column of a CSV file: numbers from 0, or names.',
  fields: {
    path,
    column,
    domain: domain.optional(),
    ...readingFields,
  },
  open: (config, file) =>
    fileCategories(parseCategories(readDataFile(file!), config.column, config.domain, config)),
});

export const CSV_NUMBERS = numberDataCard({
  kind: 'csv-numbers',
  description: 'A column of numbers of a CSV file.',
  fields: {
    path,
    column,
    ...rangeFields,
    ...lineFields,
  },
  open: (config, file) => fileNumbers(parseNumbers(readDataFile(file!), config.column, config), config),
});

export const CSV_KEY_VALUES = keyValueDataCard({
  kind: 'csv-key-values',
  description: 'A CSV file whose lines have a user, a key and a number.',
  fields: {
    path,
    items: pairs.describe(
      'Pairs that every user holds: users with more keep a random choice, users with fewer get pairs of added keys. Neighbours hold at least as many pairs as the user with the fewest.',
    ),
    user: columnAt(0),
    key: columnAt(1),
    value: columnAt(2),
    ...rangeFields,
    ...lineFields,
  },
  open: (config, file) => fileKeyValues(parseKeyValues(readDataFile(file!), config, config), config),
});

export const CSV_PLACES = placeDataCard({
  kind: 'csv-places',
  description: 'Two columns of a CSV file: east and north of one user a line, in one unit of length.',
  fields: {
    path,
    x: columnAt(0),
    y: columnAt(1),
    ...regionSides,
    ...placeFields,
    ...lineFields,
  },
  open(config, file) {
    const { x, y, xLow, xHigh, yLow, yHigh, unit, grid: side } = config;
    const data = readDataFile(file!);
    const region = { x: { low: xLow, high: xHigh }, y: { low: yLow, high: yHigh } };
    return filePlaces(parsePlaces(data, { x, y }, config), { region, side, unit });
  },
});

export const CSV_VECTORS = vectorDataCard({
  kind: 'csv-vectors',
  description: 'A CSV file of numbers: a line is the vector of one user.',
  fields: { path, ...rangeFields, ...lineFields },
  open: (config, file) => fileVectors(parseVectors(readDataFile(file!), config), config),
});

export const CSV_IDENTIFIERS = identifierDataCard({
  kind: 'csv-identifiers',
  description: 'A column of words or whole numbers in a CSV file; the most frequent ones are searched for.',
  fields: { path, column, bits: bits.default(48), ...lineFields },
  open: (config, file) =>
    fileIdentifiers(parseIdentifiers(readDataFile(file!), config.column, config.bits, config)),
});
