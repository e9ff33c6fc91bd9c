/** Writes the generated pages of docs/: `pnpm run docs`. */
import { writeFileSync } from 'node:fs';
import { GENERATED_PAGES } from './generated-pages.ts';

for (const { path, text } of GENERATED_PAGES) writeFileSync(new URL(path, import.meta.url), text());
