/**
 * Every function of a package entry has words, and an `@example` or a reason why not; examples give what
 * stands behind them.
 */
import * as accounting from '@shuffle-dp/accounting';
import * as certificates from '@shuffle-dp/certificates';
import * as core from '@shuffle-dp/core';
import * as experiments from '@shuffle-dp/experiments';
import * as protocols from '@shuffle-dp/protocols';
import * as randomizers from '@shuffle-dp/randomizers';
import * as shuffler from '@shuffle-dp/shuffler';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './reader-pages.ts';
import { WITHOUT_EXAMPLE } from './without-example.ts';

const ENTRIES = { core, shuffler, randomizers, accounting, protocols, certificates, experiments };
const PACKAGES = Object.keys(ENTRIES) as (keyof typeof ENTRIES)[];

interface ExportedFunction {
  readonly name: string;
  /** What the comment says before its tags. */
  readonly says: string;
  readonly example: string | null;
}

/** The functions and classes of an entry, with the example in the comment above each. */
function functionsOf(name: keyof typeof ENTRIES): ExportedFunction[] {
  const entry = join(ROOT, 'packages', name, 'src/index.ts');
  const values = Object.entries(ENTRIES[name]).filter(([, value]) => typeof value === 'function');
  const origins = [...readFileSync(entry, 'utf8').matchAll(/export (?:\{[^}]*\}|\*) from '([^']+)'/gu)];
  const texts = origins.map(([, path]) => readFileSync(join(dirname(entry), path!), 'utf8'));
  return values.map(([exported]) => {
    const declared = new RegExp(
      `(/\\*\\*(?:(?!\\*/)[^])*\\*/\\s*)?export (?:async )?(?:function|class|const) ${exported}\\b`,
      'u',
    );
    const comment = texts.flatMap((text) => declared.exec(text)?.[1] ?? []).join('\n');
    const example = /@example (.*?)(?: \*\/)?$/mu.exec(comment)?.[1];
    const says = comment.split(/@(?:param|throws|returns|example)\b/u)[0]!.replaceAll(/[/*\s]+/gu, ' ');
    return { name: exported, says: says.trim(), example: example ?? null };
  });
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
const NAMES = Object.keys(SCOPE);

function resultOf(code: string): unknown {
  // eslint-disable-next-line no-new-func, typescript/no-implied-eval -- the example is code of this project
  const run = new Function(...NAMES, `return (${code});`) as (...values: unknown[]) => unknown;
  return run(...NAMES.map((name) => SCOPE[name]));
}

describe.each(PACKAGES)('the entry of %s', (name) => {
  const functions = functionsOf(name);
  const examples = functions.filter((known) => known.example !== null);

  it('says in words what every function gives', () => {
    expect(functions.filter(({ says }) => says.split(' ').length < 3).map((known) => known.name)).toEqual([]);
  });

  it('has an example of every function, but for those with a reason', () => {
    const excepted = (WITHOUT_EXAMPLE[name] ?? []).flatMap(({ names }) => names.split(/\s+/u));
    const without = functions.filter(({ example }) => example === null).map((known) => known.name);
    expect(without.filter((known) => !excepted.includes(known))).toEqual([]);
    expect(excepted.filter((known) => !without.includes(known))).toEqual([]);
  });

  it('has examples that give what they say', () => {
    const wrong = examples.flatMap(({ name: known, example }) => {
      const [code, said] = example!.split(' // ');
      const value = shown(resultOf(code!));
      return said === undefined || value === said ? [] : [`${known}: ${said}, but it is ${value}`];
    });
    expect(wrong).toEqual([]);
  });
});
