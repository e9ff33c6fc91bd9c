/** Configs' JSON Schemas (draft 2020-12), for editors' completion and checks. */
import { z } from 'zod';

export function jsonSchemaOf(schema: z.ZodType, title: string): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return { $schema, title, ...rest };
}
