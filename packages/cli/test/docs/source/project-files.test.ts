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
