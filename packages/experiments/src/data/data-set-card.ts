/**
 * The card of a data set: what a config says of it, and how it is opened. A new one is its card, and a line
 * in data-sets.ts.
 */
import { z } from 'zod';
import type { CategorySource } from './category-source.ts';
import type { IdentifierSource } from './identifier-source.ts';
import type { KeyValueSource } from './key-value-source.ts';
import type { NumberSource } from './number-source.ts';
import type { PlaceSource } from './place-source.ts';
import type { VectorSource } from './vector-source.ts';
import type { SetSource } from './item-sets/set-source.ts';

export interface DataSetCard<Kind extends string, Fields extends z.ZodRawShape, Source> {
  readonly kind: Kind;
  /** What a user holds. */
  readonly values:
    | 'sets of items'
    | 'one category'
    | 'one number'
    | 'key-value pairs'
    | 'one vector'
    | 'one place'
    | 'one identifier';
  readonly description: string;
  readonly schema: z.ZodObject<{ kind: z.ZodLiteral<Kind> } & Fields, z.core.$strict>;
  /** @param file resolved path of the kinds that read one @throws DataFileError, ParameterError */
  open(config: z.output<z.ZodObject<Fields, z.core.$strict>>, file: string | null): Source;
}

type Parts<Kind extends string, Fields extends z.ZodRawShape, Source> = Pick<
  DataSetCard<Kind, Fields, Source>,
  'kind' | 'description' | 'open'
> & { readonly fields: Fields };

/** Sets of items. */
export function setDataCard<const Kind extends string, Fields extends z.ZodRawShape>(
  parts: Parts<Kind, Fields, SetSource>,
): DataSetCard<Kind, Fields, SetSource> {
  return { ...card(parts), values: 'sets of items' };
}

/** One category a user. */
export function categoryDataCard<const Kind extends string, Fields extends z.ZodRawShape>(
  parts: Parts<Kind, Fields, CategorySource>,
): DataSetCard<Kind, Fields, CategorySource> {
  return { ...card(parts), values: 'one category' };
}

/** One number a user. */
export function numberDataCard<const Kind extends string, Fields extends z.ZodRawShape>(
  parts: Parts<Kind, Fields, NumberSource>,
): DataSetCard<Kind, Fields, NumberSource> {
  return { ...card(parts), values: 'one number' };
}

/** Key-value pairs. */
export function keyValueDataCard<const Kind extends string, Fields extends z.ZodRawShape>(
  parts: Parts<Kind, Fields, KeyValueSource>,
): DataSetCard<Kind, Fields, KeyValueSource> {
  return { ...card(parts), values: 'key-value pairs' };
}

/** One vector a user. */
export function vectorDataCard<const Kind extends string, Fields extends z.ZodRawShape>(
  parts: Parts<Kind, Fields, VectorSource>,
): DataSetCard<Kind, Fields, VectorSource> {
  return { ...card(parts), values: 'one vector' };
}

/** One place a user. */
export function placeDataCard<const Kind extends string, Fields extends z.ZodRawShape>(
  parts: Parts<Kind, Fields, PlaceSource>,
): DataSetCard<Kind, Fields, PlaceSource> {
  return { ...card(parts), values: 'one place' };
}

/** One identifier a user. */
export function identifierDataCard<const Kind extends string, Fields extends z.ZodRawShape>(
  parts: Parts<Kind, Fields, IdentifierSource>,
): DataSetCard<Kind, Fields, IdentifierSource> {
  return { ...card(parts), values: 'one identifier' };
}

function card<Kind extends string, Fields extends z.ZodRawShape, Source>({
  kind,
  description,
  fields,
  open,
}: Parts<Kind, Fields, Source>): Omit<DataSetCard<Kind, Fields, Source>, 'values'> {
  return { kind, description, schema: z.strictObject({ kind: z.literal(kind), ...fields }), open };
}
