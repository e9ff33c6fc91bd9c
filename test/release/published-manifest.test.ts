// What a tarball says of itself, from the package.json files as they are.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutLocalLinks } from '../../release/pack.ts';
import { publishedManifest, type Manifest } from '../../release/published-manifest.ts';

const PACKAGES = join(import.meta.dirname, '../../packages');
const read = (name: string): Manifest =>
  JSON.parse(readFileSync(join(PACKAGES, name, 'package.json'), 'utf8')) as Manifest;

describe.each(readdirSync(PACKAGES))('the published manifest of %s', (name) => {
  const checkout = read(name);
  const published = publishedManifest(checkout);

  it('says what the package is', () => {
    expect(published.description).toMatch(/^[A-Z].{30,}\.$|^shuffle-dp, .{30,}\.$/u);
    expect(published.keywords).toContain('differential-privacy');
    expect(published.license).toBe('Apache-2.0');
    expect(existsSync(join(PACKAGES, name, 'README.md'))).toBe(true);
  });

  it('has nothing of the checkout', () => {
    const text = JSON.stringify(published);
    for (const word of [
      '@shuffle-dp/source',
      'workspace:',
      'catalog:',
      './src/',
      'devDependencies',
      '"private"',
    ])
      expect(text).not.toContain(word);
  });

  it('asks for the packages of its own version', () => {
    const own = Object.entries(published.dependencies ?? {}).filter(([dependency]) =>
      dependency.startsWith('@shuffle-dp/'),
    );
    expect(own.map(([, range]) => range)).toEqual(own.map(() => checkout.version));
  });

  it('exports what is built of a source', () => {
    for (const target of Object.values(published.exports ?? {})) {
      if (typeof target === 'string') continue;
      expect(Object.keys(target)).toEqual(['types', 'default']);
      for (const file of Object.values(target)) {
        const source = file.replace('./dist/', 'src/').replace(/(\.d\.ts|\.js)$/u, '.ts');
        expect(existsSync(join(PACKAGES, name, source))).toBe(true);
      }
    }
  });
});

it('the order of a release has every package, after those that it asks for', () => {
  const page = readFileSync(join(PACKAGES, '../docs/releasing.md'), 'utf8');
  const [, list] = /in the order of the dependencies: ([^.]+)\./u.exec(page)!;
  const steps = list!.split(';').map((step) => step.split(',').map((name) => name.trim()));
  expect(steps.flat().toSorted()).toEqual(readdirSync(PACKAGES).toSorted());
  for (const [i, step] of steps.entries()) {
    const before = steps.slice(0, i).flat();
    for (const name of step) {
      const { dependencies, optionalDependencies } = read(name);
      const asked = Object.keys({ ...dependencies, ...(optionalDependencies as object | undefined) });
      const own = asked.filter((dependency) => dependency.startsWith('@shuffle-dp/'));
      expect(own.filter((dependency) => !before.includes(dependency.split('/')[1]!))).toEqual([]);
    }
  }
});

it('a dependency that only the workspace can resolve is refused', () => {
  const manifest = { name: 'x', version: '1.0.0', dependencies: { vitest: 'catalog:' } };
  expect(() => publishedManifest(manifest)).toThrow('vitest: catalog: says nothing outside the workspace');
});

it('links into the checkout become their text, others stay', () => {
  const page =
    'see [speed](../../docs/benchmarks.md), [start](./start.md#top) and [the RFC](https://example.org/rfc)';
  expect(withoutLocalLinks(page)).toBe('see speed, start and [the RFC](https://example.org/rfc)');
});
