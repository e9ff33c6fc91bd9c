/** From the package.json of a checkout to that of a tarball. */

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly license?: string;
  readonly exports?: Readonly<Record<string, ExportTarget>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

export type ExportTarget = string | Readonly<Record<string, string>>;

/** Resolves to the source of a checkout, which no tarball has. */
const SOURCE = '@shuffle-dp/source';

/** What concerns the checkout alone. */
const OF_CHECKOUT = ['private', 'scripts', 'devDependencies'];

/**
 * Without the source condition, without exports that are only for a checkout, and with the versions of the
 * packages of this workspace.
 *
 * @throws Error for a dependency whose version the workspace decides otherwise
 */
export function publishedManifest(manifest: Manifest): Manifest {
  const kept = Object.fromEntries(Object.entries(manifest).filter(([field]) => !OF_CHECKOUT.includes(field)));
  return {
    ...(kept as Manifest),
    ...(manifest.exports ? { exports: publishedExports(manifest.exports) } : {}),
    ...Object.fromEntries(
      (['dependencies', 'optionalDependencies'] as const).flatMap((field) => {
        const ranges = manifest[field];
        return ranges ? [[field, publishedDependencies(ranges, manifest.version)]] : [];
      }),
    ),
    engines: { node: '>=20.19' },
    publishConfig: { access: 'public' },
  };
}

function publishedExports(exports: Readonly<Record<string, ExportTarget>>): Record<string, ExportTarget> {
  const published = Object.entries(exports).flatMap(([path, target]): [string, ExportTarget][] => {
    if (typeof target === 'string') return [[path, target]];
    const { [SOURCE]: _, ...conditions } = target;
    // Types alone are nothing that could be imported.
    return 'default' in conditions ? [[path, conditions]] : [];
  });
  return { ...Object.fromEntries(published), './package.json': './package.json' };
}

/** All packages of the workspace have one version, and are released together. */
function publishedDependencies(
  dependencies: Readonly<Record<string, string>>,
  version: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(dependencies).map(([name, range]) => {
      if (range === 'workspace:*') return [name, version];
      if (range.includes(':')) throw new Error(`${name}: ${range} says nothing outside the workspace`);
      return [name, range];
    }),
  );
}
