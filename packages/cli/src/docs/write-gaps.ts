/** Writes docs/gaps.md: `pnpm run docs:gaps`, some ten minutes. */
import { writeFileSync } from 'node:fs';
import { gapsPage } from './gaps-page.ts';

const text = gapsPage((name) => process.stderr.write(`${name}\n`));
writeFileSync(new URL('../../../../docs/gaps.md', import.meta.url), text);
