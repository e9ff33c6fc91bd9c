/** Modules that users bring, loaded from wherever they are: JavaScript or TypeScript. */
import { spawnSync } from 'node:child_process';
import { createRequire, register } from 'node:module';
import { isAbsolute, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { ParameterError, type FrequencyOracle } from '@shuffle-dp/core';
import { awaitedForeignCall, ForbiddenError, guardThread } from './guarded-thread.ts';

export type OracleFactory = (parameters: Readonly<Record<string, number>>) => FrequencyOracle;

export interface OwnModule {
  readonly factory: OracleFactory;
  /** Names of the options that it takes, where it declares them: `export const options = ['abstain']`. */
  readonly options: readonly string[] | null;
}

const loaded = new Map<string, OwnModule>();

/** @throws ParameterError where it cannot be loaded or exports no function */
export async function loadModule(module: string): Promise<void> {
  if (loaded.has(module)) return;
  const name = shownModule(module);
  guardThread(name);
  registerHooks();
  let exported: Readonly<Record<string, unknown>>;
  try {
    exported = await awaitedForeignCall(name, 'loading', () => nativeImport(pathToFileURL(module).href));
  } catch (error) {
    throw new ParameterError('module', name, `a module that can be loaded: ${loadingWords(error, module)}`);
  }
  const { default: factory, options } = exported;
  if (typeof factory !== 'function')
    throw new ParameterError('module', name, 'a module whose default export is a function');
  if (options !== undefined && !isListOfNames(options))
    throw new ParameterError('module', name, 'one whose export `options` is a list of names');
  loaded.set(module, { factory: factory as OracleFactory, options: options ?? null });
}

function isListOfNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

/** @throws Error where it was not loaded before */
export function loadedModule(module: string): OwnModule {
  const known = loaded.get(module);
  if (known === undefined) throw new Error(`${module} is not loaded`);
  return known;
}

const nativeImport = createRequire(import.meta.url)('../../bin/native-import.cjs') as (
  specifier: string,
) => Promise<Readonly<Record<string, unknown>>>;

let registered = false;

function registerHooks(): void {
  if (registered) return;
  registered = true;
  const url = import.meta.url;
  register(new URL('../../bin/module-hooks.mjs', url).href, {
    data: { url, fromSource: url.endsWith('.ts'), fromBundle: isBundled(import.meta.filename) },
  });
  // Types are cut out of TypeScript; its errors are to name the lines that the user wrote.
  process.setSourceMapsEnabled(true);
}

/** In a bundle a module has the URL that it has unbundled, and the name of the bundle's file. */
function isBundled(file: string | undefined): boolean {
  return file !== undefined && /[/\\]dist[/\\]bundle[/\\]/u.test(file);
}

/** Near where the command was given. */
export function shownModule(module: string): string {
  const near = relative(process.cwd(), module);
  return near.startsWith('..') || isAbsolute(near) ? module : near;
}

/** An error in one line, with its line in the module where the trace has it. */
export function thrownWords(error: unknown, module: string): string {
  if (!(error instanceof Error)) return textOf(error);
  const trace = textOf(error.stack);
  const at = trace.indexOf(`${module}:`);
  const line = at < 0 ? undefined : /^\d+/u.exec(trace.slice(at + module.length + 1))?.[0];
  const where = line === undefined ? '' : ` (line ${line})`;
  const what = error instanceof ForbiddenError ? '' : `${textOf(error.name)}: `;
  return `${what}${textOf(error.message).split('\n')[0]}${where}`;
}

/** A module throws what it likes, and gives its errors what it likes as text. */
function textOf(said: unknown): string {
  return typeof said === 'string'
    ? said
    : inspect(said, { breakLength: Infinity, depth: 1, customInspect: false });
}

function loadingWords(error: unknown, module: string): string {
  const text = textOf(error instanceof Error ? error.message : error);
  const transformed = /:(\d+):\d+: ERROR: (.*)/u.exec(text);
  if (transformed) return `line ${transformed[1]}: SyntaxError: ${transformed[2]}`;
  const words = (error instanceof SyntaxError && syntaxWords(module)) || thrownWords(error, module);
  return text.startsWith("Cannot find module '@shuffle-dp/")
    ? `${words}; only \`import\` finds the packages of this program, not \`require\``
    : words;
}

/** Errors of syntax do not tell their place; a check of the file alone does. */
function syntaxWords(module: string): string | null {
  const { stderr } = spawnSync(process.execPath, ['--check', module], { encoding: 'utf8' });
  const line = /:(\d+)$/mu.exec(stderr)?.[1];
  const reason = /^SyntaxError: (.*)$/mu.exec(stderr)?.[1];
  return line === undefined || reason === undefined ? null : `line ${line}: SyntaxError: ${reason}`;
}
