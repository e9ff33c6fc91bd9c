/**
 * Every function of a package entry has words, and an `@example` or a reason why not; all examples, of
 * functions within a package too, give what stands behind them.
 */
import * as accounting from '@shuffle-dp/accounting';
import * as certificates from '@shuffle-dp/certificates';
import * as core from '@shuffle-dp/core';
import * as experiments from '@shuffle-dp/experiments';
import * as protocols from '@shuffle-dp/protocols';
import * as randomizers from '@shuffle-dp/randomizers';
import * as sealed from '@shuffle-dp/sealed';
import * as shuffler from '@shuffle-dp/shuffler';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PACKAGE_ENTRIES } from './package-entries.ts';
import { ROOT } from '../reader-pages.ts';
import { WITHOUT_EXAMPLE } from './without-example.ts';

const ENTRIES = { core, shuffler, randomizers, accounting, protocols, certificates, experiments, sealed };
const PACKAGES = Object.keys(ENTRIES) as (keyof typeof ENTRIES)[];

interface ExportedFunction {
  readonly name: string;
  /** What the comment says before its tags. */
  readonly says: string;
  readonly example: string | null;
}

/** The functions and classes of an entry, with the example in the comment above each. */
function functionsOf(entry: string, module: object): ExportedFunction[] {
  const values = Object.entries(module).filter(([, value]) => typeof value === 'function');
  const texts = exportingTexts(entry);
  return values.map(([exported]) => {
    const declared = new RegExp(
      `(/\\*\\*(?:(?!\\*/)[^])*\\*/\\s*)?export (?:async )?(?:function\\*?|class|const) ${exported}\\b`,
      'u',
    );
    const comment = texts.flatMap((text) => declared.exec(text)?.[1] ?? []).join('\n');
    const example = /@example (.*?)(?: \*\/)?$/mu.exec(comment)?.[1];
    const says = comment.split(/@(?:param|throws|returns|example)\b/u)[0]!.replaceAll(/[/*\s]+/gu, ' ');
    return { name: exported, says: says.trim(), example: example ?? null };
  });
}

/** Of a module and those that it exports from. */
function exportingTexts(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const origins = [...text.matchAll(/export (?:\{[^}]*\}|\*) from '(\.[^']+)'/gu)];
  return [text, ...origins.flatMap(([, path]) => exportingTexts(join(dirname(file), path!)))];
}

/** As examples write values: numbers to six digits. */
function shown(value: unknown): string {
  if (typeof value === 'number') return String(Number(value.toPrecision(6)));
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'string') return `'${value}'`;
  if (ArrayBuffer.isView(value) || Array.isArray(value))
    return `[${Array.from(value as ArrayLike<unknown>, shown).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .map(([field, part]) => `${field}: ${shown(part)}`)
      .join(', ')} }`;
  return String(value);
}

const SCOPE: Readonly<Record<string, unknown>> = Object.assign({}, ...Object.values(ENTRIES));

/** With what the entries export, and what the example's own file does. */
function resultOf(code: string, own: Readonly<Record<string, unknown>>): unknown {
  const scope = { ...SCOPE, ...own };
  // eslint-disable-next-line no-new-func, typescript/no-implied-eval -- the example is code of this project
  const run = new Function(...Object.keys(scope), `return (${code});`) as (...values: unknown[]) => unknown;
  return run(...Object.values(scope));
}

/** Examples by file, of files that have any. */
function examplesBelow(folder: string): { readonly file: string; readonly examples: readonly string[] }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/u.test(file))
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
    .map(({ file, text }) => ({
      file: relative(ROOT, join(folder, file)),
      examples: [...text.matchAll(/@example ?(.*?)(?: \*\/)?$/gmu)].map(([, example]) => example!),
    }))
    .filter(({ examples }) => examples.length > 0);
}

/** Of a function that returns nothing, an example says nothing. */
function wrongExample(example: string, own: Readonly<Record<string, unknown>>): string[] {
  const [code, said = 'undefined'] = example.split(' // ');
  let value: string;
  try {
    value = shown(resultOf(code!, own));
  } catch (error) {
    value = String(error);
  }
  return value === said ? [] : [`${example}: it is ${value}`];
}

describe.each(PACKAGES)('the entry of %s', (name) => {
  const functions = functionsOf(join(ROOT, 'packages', name, 'src/index.ts'), ENTRIES[name]);

  it('has an example of every function, but for those with a reason', () => {
    const excepted = (WITHOUT_EXAMPLE[name] ?? []).flatMap(({ names }) => names.split(/\s+/u));
    const without = functions.filter(({ example }) => example === null).map((known) => known.name);
    expect(without.filter((known) => !excepted.includes(known))).toEqual([]);
    expect(excepted.filter((known) => !without.includes(known))).toEqual([]);
  });
});

it.each(PACKAGE_ENTRIES)('$entry says in words what every function gives', async ({ file }) => {
  const functions = functionsOf(file, (await import(pathToFileURL(file).href)) as object);
  expect(functions.filter(({ says }) => says.split(' ').length < 3).map(({ name }) => name)).toEqual([]);
});

const FILES = readdirSync(join(ROOT, 'packages')).flatMap((name) =>
  examplesBelow(join(ROOT, 'packages', name, 'src')),
);

it.each(FILES)('the examples of $file give what they say', async ({ file, examples }) => {
  const own = (await import(pathToFileURL(join(ROOT, file)).href)) as Readonly<Record<string, unknown>>;
  expect(examples.flatMap((example) => wrongExample(example, own))).toEqual([]);
});
