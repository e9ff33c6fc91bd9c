/**
 * The card of a data set: what a config says of it, and how it is opened. A new one is its card, and a line
 * in data-sets.ts.
 */
import * as z from 'zod';
import type { CategorySource } from './sources/category-source.ts';
import type { IdentifierSource } from './sources/identifier-source.ts';
import type { KeyValueSource } from './sources/key-value-source.ts';
import type { NumberSource } from './sources/number-source.ts';
import type { PlaceSource } from './sources/place-source.ts';
import type { VectorSource } from './sources/vector-source.ts';
import type { SetSource } from './item-sets/set-source.ts';

export type DataSource =
  SetSource | CategorySource | NumberSource | KeyValueSource | VectorSource | PlaceSource | IdentifierSource;

/** What a user holds. */
export type Holding = DataSource['holds'];

export interface DataSetCard<
  Kind extends string,
  Fields extends z.ZodRawShape,
  Source extends DataSource = DataSource,
> {
  readonly kind: Kind;
  readonly holds: Source['holds'];
  /** What a user holds, in words. */
  readonly values: string;
  readonly description: string;
  readonly schema: z.ZodObject<{ kind: z.ZodLiteral<Kind> } & Fields, z.core.$strict>;
  /** @param file resolved path of the kinds that read one @throws DataFileError, ParameterError */
  open(config: z.output<z.ZodObject<Fields, z.core.$strict>>, file: string | null): Source;
}

type Parts<Kind extends string, Fields extends z.ZodRawShape, Source extends DataSource> = Pick<
  DataSetCard<Kind, Fields, Source>,
  'kind' | 'description' | 'open'
> & { readonly fields: Fields };

/** The cards of the data sets whose users hold this. */
function cardsOf<Source extends DataSource>(holds: Source['holds'], values: string) {
  return <const Kind extends string, Fields extends z.ZodRawShape>({
    kind,
    description,
    fields,
    open,
  }: Parts<Kind, Fields, Source>): DataSetCard<Kind, Fields, Source> => {
    const schema = z.strictObject({ kind: z.literal(kind), ...fields });
    return { kind, description, schema, open, holds, values };
  };
}

export const setDataCard = cardsOf<SetSource>('sets', 'sets of items');
export const categoryDataCard = cardsOf<CategorySource>('categories', 'one category');
export const numberDataCard = cardsOf<NumberSource>('numbers', 'one number');
export const keyValueDataCard = cardsOf<KeyValueSource>('key-values', 'key-value pairs');
export const vectorDataCard = cardsOf<VectorSource>('vectors', 'one vector');
export const placeDataCard = cardsOf<PlaceSource>('places', 'one place');
export const identifierDataCard = cardsOf<IdentifierSource>('identifiers', 'one identifier');
