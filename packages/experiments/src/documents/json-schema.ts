/** Configs' JSON Schemas (draft 2020-12), for editors' completion and checks. */
import * as z from 'zod';

/** What a config may say, as JSON Schema: fields with defaults need not be given. */
export function jsonSchemaOf(schema: z.ZodType, title: string): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return { $schema, title, ...rest };
}
