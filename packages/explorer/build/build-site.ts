/**
 * Builds the explorer into a folder that any static host serves, and that opens as files: one page with its
 * script and style inside, and beside it the engines as scripts that hand over their text
 * (src/engine/engine-source.ts).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MECHANISMS } from '@shuffle-dp/experiments/account';
import { CATEGORY_RANDOMIZERS } from '@shuffle-dp/randomizers';
import { build, type Plugin, type Rolldown } from 'vite';
import type { ShownMechanism } from '../src/account/contract.ts';
import { shownMechanism } from '../src/account/shown-mechanism.ts';
import { writeSite } from './write-site.ts';

/** By their names: the module, and of which mechanisms where those are not all. */
const ENGINES: readonly (readonly [name: string, module: string, registry?: string])[] = [
  ['account', 'account', 'src/engines/category-mechanisms.ts'],
  ['mechanisms', 'account'],
  ...['compose', 'budgets', 'literature', 'plan', 'shuffle'].map((name) => [name, name] as const),
];

const room = fileURLToPath(new URL('../', import.meta.url));

/** Where `pnpm run build` leaves the explorer. */
export const SITE = join(room, 'dist/site');

/** @param folder is emptied first */
export async function buildSite(folder: string = SITE): Promise<void> {
  const page = await bundle(join(room, 'src/main.tsx'));
  const engines: Record<string, string> = {};
  for (const [name, module, registry] of ENGINES) {
    const { script } = await bundle(join(room, `src/engines/${module}-engine.ts`), registry);
    engines[name] = engineText(name, script);
  }
  writeSite(folder, { page: pageText(page), engines });
}

interface Bundle {
  readonly script: string;
  readonly style: string;
}

/**
 * One classic script of a module and all that it imports. @param registry in the place of that of `account`
 */
export async function bundle(entry: string, registry?: string): Promise<Bundle> {
  const result = (await build({
    root: room,
    configFile: false,
    logLevel: 'warn',
    plugins: registry === undefined ? [] : [inPlaceOfRegistry(join(room, registry))],
    // Also where tests build it: for development the places of all elements would go along.
    oxc: { jsx: { development: false } },
    // In a checkout the packages are bundled from their source, so that none can be stale.
    resolve: { conditions: ['@shuffle-dp/source', 'browser', 'module', 'import', 'default'] },
    build: {
      write: false,
      target: 'es2023',
      // light-dark() as it stands, which all current browsers know: its replacement is longer than the
      // colours.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      minify: true,
      modulePreload: false,
      lib: { entry, formats: ['iife'], name: 'explorer', fileName: 'bundle' },
    },
  })) as Rolldown.RolldownOutput[];
  const outputs = result.flatMap(({ output }) => output);
  const [script] = outputs.flatMap((output) => (output.type === 'chunk' ? [output.code] : []));
  const styles = outputs.flatMap((output) =>
    output.type === 'asset' && output.fileName.endsWith('.css') ? [String(output.source)] : [],
  );
  return { script: script!, style: styles.join('\n') };
}

function inPlaceOfRegistry(registry: string): Plugin {
  return {
    name: 'registry',
    enforce: 'pre',
    resolveId: (source, importer) =>
      source === './registry.ts' && importer?.includes('/experiments/src/account/') ? registry : null,
  };
}

/** As a script: the text of data that may have infinite numbers. */
function literal(data: unknown): string {
  const named = JSON.stringify(data, (_, value: unknown) => (value === Infinity ? '\u221e' : value));
  return named.replaceAll('"\u221e"', '1/0');
}

function shownMechanisms(): readonly ShownMechanism[] {
  return MECHANISMS.map((card) => {
    const category = CATEGORY_RANDOMIZERS.find(({ name }) => name === card.name);
    const options = category?.options.map(({ name }) => name) ?? null;
    return shownMechanism(card, category === undefined ? 'mechanisms' : 'account', options);
  });
}

function pageText({ script, style }: Bundle): string {
  const template = readFileSync(join(room, 'index.html'), 'utf8');
  // Functions, since a dollar sign in a replacement text means something.
  return template
    .replace('<!--style-->', () => `<style>${style}</style>`)
    .replace('<!--script-->', () =>
      [`shuffleDpMechanisms=${literal(shownMechanisms())}`, script]
        .map((text) => `<script>${text.replaceAll('</script', String.raw`<\/script`)}</script>`)
        .join('\n'),
    );
}

function engineText(name: string, script: string): string {
  return `(globalThis.shuffleDpEngines??={})[${JSON.stringify(name)}]=${JSON.stringify(script)};\n`;
}
