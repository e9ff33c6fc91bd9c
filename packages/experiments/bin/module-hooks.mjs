/**
 * How modules of users are resolved and loaded, wherever they are: `@shuffle-dp/…` means the packages of the
 * program that runs, and TypeScript loses its types. Node runs these hooks in a thread that has no other
 * loader, so they are JavaScript in a checkout too.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

/** URL of a file of the program, and whether it runs from its TypeScript source or from bundles. */
let program;

export function initialize(data) {
  program = data;
}

export async function resolve(specifier, context, next) {
  if (!specifier.startsWith('@shuffle-dp/')) return next(specifier, context);
  const conditions = program.fromSource ? ['@shuffle-dp/source', ...context.conditions] : context.conditions;
  const found = await next(specifier, { ...context, conditions, parentURL: program.url });
  // The same classes and the same state as the program's own.
  return program.fromBundle ? { ...found, url: found.url.replace(/.*\/dist\//u, '$&bundle/') } : found;
}

export async function load(url, context, next) {
  const { protocol, pathname } = new URL(url);
  if (protocol !== 'file:' || !/\.m?ts$/u.test(pathname)) return next(url, context);
  const file = fileURLToPath(url);
  const { code } = await transform(await readFile(file, 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: `node${process.versions.node}`,
    sourcemap: 'inline',
    sourcefile: file,
  });
  return { format: 'module', source: code, shortCircuit: true };
}
