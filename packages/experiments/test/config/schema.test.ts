import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { configJsonSchema } from '../../../cli/src/config-schemas.ts';
import { CONFIG_KINDS } from '../../src/documents/config-kinds.ts';

it.each(CONFIG_KINDS)(
  'schemas/%s.schema.json is what `shuffle-dp schema` prints; if not, print it there again',
  (kind) => {
    const file = join(import.meta.dirname, `../../../../schemas/${kind}.schema.json`);
    expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify(configJsonSchema(kind), null, 2)}\n`);
  },
);
