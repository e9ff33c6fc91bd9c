/** The kinds of config and their schemas, as `shuffle-dp schema` prints them. */
import type { ConfigKind } from '../config/config-kinds.ts';
import { jsonSchemaOf } from '../config/json-schema.ts';
import { experimentSchema } from '../config/schema.ts';
import { learningSchema } from '../federated/learning-schema.ts';
import { forestSchema } from '../forest/forest-schema.ts';

const SCHEMAS = { experiment: experimentSchema, learning: learningSchema, forest: forestSchema } as const;

export function configJsonSchema(kind: ConfigKind): Record<string, unknown> {
  return jsonSchemaOf(SCHEMAS[kind], `shuffle-dp ${kind}`);
}
