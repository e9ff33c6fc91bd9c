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

/** The cards of the data sets whose users hold this. */
function cardsOf<Source>(values: DataSetCard<string, z.ZodRawShape, Source>['values']) {
  return <const Kind extends string, Fields extends z.ZodRawShape>({
    kind,
    description,
    fields,
    open,
  }: Parts<Kind, Fields, Source>): DataSetCard<Kind, Fields, Source> => {
    const schema = z.strictObject({ kind: z.literal(kind), ...fields });
    return { kind, description, schema, open, values };
  };
}

export const setDataCard = cardsOf<SetSource>('sets of items');
export const categoryDataCard = cardsOf<CategorySource>('one category');
export const numberDataCard = cardsOf<NumberSource>('one number');
export const keyValueDataCard = cardsOf<KeyValueSource>('key-value pairs');
export const vectorDataCard = cardsOf<VectorSource>('one vector');
export const placeDataCard = cardsOf<PlaceSource>('one place');
export const identifierDataCard = cardsOf<IdentifierSource>('one identifier');
