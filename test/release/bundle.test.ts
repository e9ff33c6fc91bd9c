import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { buildIsFresh, bundlesAreFresh } from '../../packages/cli/bin/fresh-build.mjs';

const PACKAGES = fileURLToPath(new URL('../../packages', import.meta.url));
const ARE_BUNDLED = buildIsFresh(PACKAGES) && bundlesAreFresh(PACKAGES);

type Exports = Readonly<Record<string, unknown>>;

function entriesOf(name: string): string[] {
  const bundles = join(PACKAGES, name, 'dist/bundle');
  if (!existsSync(bundles)) return [];
  return readdirSync(bundles, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.js') && !file.startsWith('chunks/'));
}

function imported(file: string): Promise<Exports> {
  // Node's own import, of what no test replaces.
  return import(/* @vite-ignore */ pathToFileURL(join(PACKAGES, file)).href) as Promise<Exports>;
}

/** Threads perform functions of the laboratory by their names; other names may be others in a bundle. */
function namesIn(module: Exports, areCalled: boolean): string[] {
  return Object.entries(module)
    .map(([name, value]) => (areCalled && isPlainFunction(value) ? `${name}: ${value.name}` : name))
    .toSorted();
}

function isPlainFunction(value: unknown): value is () => unknown {
  return typeof value === 'function' && !/^class\b/u.test(String(value));
}

describe.runIf(ARE_BUNDLED)('bundles of packages', () => {
  const entries = ['core', 'accounting', 'protocols', 'experiments', 'papers', 'queue'].flatMap((name) =>
    // Two of them start something where they are loaded.
    entriesOf(name)
      .filter((entry) => !/plan-thread\.js$|party-process/u.test(entry))
      .map((entry) => [name, entry] as const),
  );

  it('are there', () => {
    expect(entries.length).toBeGreaterThan(30);
  });

  it.each(entries)('%s: %s exports what the module does', async (name, entry) => {
    const [bundle, module] = await Promise.all([
      imported(`${name}/dist/bundle/${entry}`),
      imported(`${name}/dist/${entry}`),
    ]);
    expect(namesIn(bundle, name === 'experiments')).toEqual(namesIn(module, name === 'experiments'));
  });

  it('know the digest of the build that they are made of', async () => {
    const [bundle, module] = await Promise.all(
      ['bundle/run-folder', 'run-folder'].map((folder) => imported(`experiments/dist/${folder}/index.js`)),
    );
    const digestOf = ({ codeDigest }: Exports): string => (codeDigest as () => string)();
    expect(digestOf(bundle!)).toBe(digestOf(module!));
  });

  it.each(['core', 'accounting', 'randomizers', 'protocols'])('%s: is held at a byte a letter', (name) => {
    const bundle = readFileSync(join(PACKAGES, name, 'dist/bundle/index.js'), 'utf8');
    expect(Buffer.byteLength(bundle)).toBe(bundle.length);
  });

  it('share what packages share', async () => {
    const core = await imported('core/dist/bundle/index.js');
    const { requirePositive } = core as { requirePositive: (name: string, value: number) => void };
    expect(requirePositive).toBeTypeOf('function');
    const { accountMechanism } = (await imported('experiments/dist/bundle/account/index.js')) as {
      accountMechanism: (name: string, parameters: object, setting: object) => unknown;
    };
    const refused = () => accountMechanism('grr', { epsilon0: -1, domain: 4 }, { users: 10, delta: 1e-3 });
    expect(refused).toThrow(core['ParameterError'] as new () => Error);
  });

  it('start their threads from bundles, and find files where the modules were', async () => {
    const { CELL_TASKS } = await imported('experiments/dist/bundle/trials/cell-tasks.js');
    expect(CELL_TASKS).toBe(
      pathToFileURL(join(PACKAGES, 'experiments/dist/bundle/trials/cell-tasks.js')).href,
    );
    const { codeDigest } = (await imported('experiments/dist/bundle/run-folder/index.js')) as {
      codeDigest: () => string;
    };
    const unbundled = (await imported('experiments/dist/run-folder/index.js')) as {
      codeDigest: () => string;
    };
    expect(codeDigest()).toBe(unbundled.codeDigest());
  });
});
