import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { experimentJsonSchema } from '../../src/config/schema.ts';

it('is what schemas/experiment.schema.json says; if not: shuffle-dp schema > schemas/experiment.schema.json', () => {
  const file = join(import.meta.dirname, '../../../../schemas/experiment.schema.json');
  expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify(experimentJsonSchema(), null, 2)}\n`);
});
