/** What programs may import of the packages, as their manifests say. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../reader-pages.ts';

export interface PackageEntry {
  /** Of the package. */
  readonly name: string;
  /** 'core', or 'experiments/run' for one room. */
  readonly entry: string;
  /** Of the source. */
  readonly file: string;
}

export const PACKAGE_ENTRIES: readonly PackageEntry[] = readdirSync(join(ROOT, 'packages')).flatMap(
  entriesOf,
);

function entriesOf(name: string): PackageEntry[] {
  const folder = join(ROOT, 'packages', name);
  const { exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    exports?: Readonly<Record<string, string | { readonly '@shuffle-dp/source': string }>>;
  };
  return Object.entries(exports).flatMap(([path, source]) =>
    typeof source === 'string'
      ? []
      : [{ name, entry: join(name, path), file: join(folder, source['@shuffle-dp/source']) }],
  );
}
