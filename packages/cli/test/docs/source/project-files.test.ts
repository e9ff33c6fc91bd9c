import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bibtex, type CitationKey } from '@shuffle-dp/core';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { buildProgram } from '../../../src/main.ts';
import { ROOT } from '../reader-pages.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const versionOf = (path: string): string => (JSON.parse(read(path)) as { version: string }).version;
const version = versionOf('package.json');

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Reference {
  readonly title: string;
  readonly authors: readonly { readonly 'family-names': string; readonly 'given-names': string }[];
  readonly year: number;
  readonly doi?: string;
  readonly start?: number;
  readonly end?: number;
}

const citation = parse(read('CITATION.cff')) as {
  readonly 'cff-version': string;
  readonly version: string;
  readonly references: readonly Reference[];
};

describe('the version', () => {
  it.each(readdirSync(join(ROOT, 'packages')))('of %s is that of the project', (name) => {
    expect(versionOf(`packages/${name}/package.json`)).toBe(version);
  });

  it('is what the program and the citation file say', async () => {
    expect((await buildProgram([])).version()).toBe(version);
    expect(citation.version).toBe(version);
  });

  it('has its section in the changelog, released or not', () => {
    const changelog = read('CHANGELOG.md');
    expect(changelog).toContain(version);
    expect(changelog.indexOf('## [Unreleased]')).toBeGreaterThan(0);
  });
});

describe('CITATION.cff', () => {
  it('is of version 1.2.0 and has the five papers', () => {
    expect(citation['cff-version']).toBe('1.2.0');
    expect(citation.references).toHaveLength(5);
  });

  const keys: readonly CitationKey[] = ['wang2024', 'wang2025composition', 'liu2023', 'liu2024'];
  it.each(keys)('says of %s what its BibTeX entry says', (key) => {
    const entry = bibtex(key);
    const field = (name: string): string | undefined =>
      new RegExp(`^ *${name} *= \\{(.*)\\},?$`, 'mu').exec(entry)?.[1];
    const reference = citation.references.find(({ title }) => title === field('title'))!;
    const names = reference.authors.map(
      ({ 'given-names': given, 'family-names': family }) => `${given} ${family}`,
    );
    expect(names.join(' and ')).toBe(field('author'));
    expect(String(reference.year)).toBe(field('year'));
    expect(reference.doi).toBe(field('doi'));
    const pages = [reference.start, reference.end].filter((page) => page !== undefined).join('--');
    expect(pages).toBe(field('pages') ?? '');
  });
});

describe('the hosted workflow', () => {
  it('runs the gate on every Node that is supported, the oldest one included', () => {
    const { jobs } = parse(read('.github/workflows/ci.yml')) as {
      jobs: {
        gate: { strategy: { matrix: { node: string[] } }; steps: { run?: string }[] };
      };
    };
    expect(jobs.gate.strategy.matrix.node).toEqual(['20', '22', '24', '26']);
    expect(jobs.gate.steps.flatMap(({ run }) => run ?? [])).toEqual(['.ci/run']);
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
    expect(engines.node).toMatch(/^>=20\./u);
  });
});

describe('the decision on dependencies', () => {
  const page = read('docs/decisions/0014-dependencies.md');
  const [ships] = page.split('## What builds and tests');
  const manifests = [
    '',
    'docs/api',
    ...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}`),
  ].map((folder) => ({ folder, ...(JSON.parse(read(join(folder, 'package.json'))) as Manifest) }));
  const foreign = (...lists: (Readonly<Record<string, string>> | undefined)[]): string[] =>
    lists
      .flatMap((list) => Object.keys(list ?? {}))
      .filter((name) => !/^@(?:shuffle-dp|types)\//u.test(name));

  it('names every one', () => {
    const names = manifests.flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
      foreign(dependencies, devDependencies, optionalDependencies),
    );
    expect([...new Set(names)].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('says which package asks for those that ship', () => {
    const rows = [...ships!.matchAll(/^\| (`[^|]+`) +\| ([a-z]+) +\|/gmu)].flatMap(([, names, owner]) =>
      [...names!.matchAll(/`([^`]+)`/gu)].map(([, name]) => ({ name: name!, owner: owner! })),
    );
    expect(rows.length).toBeGreaterThan(20);
    const wrong = rows.filter(({ name, owner }) => {
      const { dependencies, optionalDependencies } = manifests.find(
        ({ folder }) => folder === `packages/${owner}`,
      )!;
      return !foreign(dependencies, optionalDependencies).includes(name);
    });
    expect(wrong).toEqual([]);
  });
});
