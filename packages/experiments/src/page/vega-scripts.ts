/** The chart library's scripts, inlined so that pages open without a network. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Package and file below it, in the order in which they have to load. */
const SCRIPTS = [
  ['vega', 'vega.min.js'],
  ['vega-lite', 'vega-lite.min.js'],
  ['vega-embed', 'vega-embed.min.js'],
] as const;

export function vegaScripts(): string {
  return SCRIPTS.map(
    ([name, file]) => `<script>${escapeScript(readFileSync(scriptPath(name, file), 'utf8'))}</script>`,
  ).join('\n');
}

/** The packages export no path to these files, so they are found beside the entry that they do export. */
function scriptPath(name: string, file: string): string {
  const require = createRequire(import.meta.url);
  for (const base of require.resolve.paths(name) ?? []) {
    const folder = join(base, name, 'build');
    try {
      return require.resolve(join(folder, file));
    } catch {
      continue;
    }
  }
  throw new Error(`${name} is not installed: no build/${file}`);
}

function escapeScript(source: string): string {
  return source.replaceAll('</script', '<\\/script').replace(/^\/\/# sourceMappingURL=.*$/m, '');
}
