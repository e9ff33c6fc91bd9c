/** The kinds of config and their schemas, as `shuffle-dp schema` prints them. */
import { type ConfigKind, experimentSchema, jsonSchemaOf } from '@shuffle-dp/experiments/config';
import { learningSchema } from '@shuffle-dp/experiments/federated';
import { forestSchema } from '@shuffle-dp/experiments/forest';
import { unsupervisedSchema } from '@shuffle-dp/experiments/unsupervised';

const SCHEMAS = {
  experiment: experimentSchema,
  learning: learningSchema,
  forest: forestSchema,
  unsupervised: unsupervisedSchema,
} as const;

export function configJsonSchema(kind: ConfigKind): Record<string, unknown> {
  return jsonSchemaOf(SCHEMAS[kind], `shuffle-dp ${kind}`);
}
