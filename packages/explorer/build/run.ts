/** The command behind `pnpm run build`. */
import { buildSite } from './build-site.ts';

await buildSite();
