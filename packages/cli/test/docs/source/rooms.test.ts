/**
 * The rooms of every package, which are the folders of its sources: none needs another that needs it, and
 * large ones have a reason.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../reader-pages.ts';

const PACKAGES = readdirSync(join(ROOT, 'packages'));

/** They list what the rooms of a package have, and stand above them wherever they lie. */
const ROOFS = new Set(['index.ts', 'registry.ts', 'catalogue.ts', 'data-sets.ts']);

/** Folders of more than sixteen files, which have no seam. */
const LARGE: Readonly<Record<string, string>> = {
  'accounting/published': 'a file for each bound of the literature',
  'cli/commands': 'a file for each command',
  'cli/output': 'a file for what each command prints',
};

/** Files of more than 300 lines: lists of data. */
const LONG = new Set(['packages/core/src/bibliography.ts', 'packages/papers/src/apes/statements.ts']);

interface Import {
  readonly from: string;
  readonly to: string;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (name === 'dist' || name === 'node_modules') return [];
    if (statSync(path).isDirectory()) return filesBelow(path);
    return /\.tsx?$/u.test(name) ? [path] : [];
  });
}

/** The first folder below `src`; the empty text for files of no room. */
function roomOf(source: string, file: string): string {
  const [room, ...rest] = relative(source, file).split('/');
  return rest.length > 0 ? room! : '';
}

function importsBetweenRooms(name: string): Import[] {
  const source = join(ROOT, 'packages', name, 'src');
  return filesBelow(source)
    .filter((file) => !ROOFS.has(basename(file)))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/gu)].map(([, path]) => ({
        from: roomOf(source, file),
        to: roomOf(source, normalize(join(dirname(file), path!))),
      })),
    )
    .filter(({ from, to }) => from !== '' && to !== '' && from !== to);
}

/** Rooms that need each other, by whatever way round. */
function circlesOf(imports: readonly Import[]): string[] {
  const needs = new Map<string, Set<string>>();
  for (const { from, to } of imports) needs.set(from, (needs.get(from) ?? new Set()).add(to));
  const reached = (room: string): Set<string> => {
    const found = new Set<string>();
    const open = [room];
    while (open.length > 0)
      for (const next of needs.get(open.pop()!) ?? [])
        if (!found.has(next)) {
          found.add(next);
          open.push(next);
        }
    return found;
  };
  const rooms = [...needs.keys()].sort();
  const circles = rooms
    .filter((room) => reached(room).has(room))
    .map((room) => rooms.filter((other) => reached(room).has(other) && reached(other).has(room)).join(', '));
  return [...new Set(circles)];
}

it('finds circles, long ones too', () => {
  const imports = ['ab', 'bc', 'ca', 'cd', 'ef'].map(([from, to]) => ({ from: from!, to: to! }));
  expect(circlesOf(imports)).toEqual(['a, b, c']);
});

it('experiments has the rooms that docs/architecture.md lists, each above those it uses', () => {
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  const [, table] = /### The rooms of experiments\n([^#]+)/u.exec(page)!;
  const rows = [...table!.matchAll(/^\| (`.*?`) +\|/gmu)].map(([, names]) => names!.match(/[a-z-]+/gu)!);
  const row = (room: string): number => rows.findIndex((names) => names.includes(room));
  const source = join(ROOT, 'packages/experiments/src');
  const folders = readdirSync(source).filter((name) => statSync(join(source, name)).isDirectory());
  expect(rows.flat().toSorted()).toEqual(folders.toSorted());
  const wrong = importsBetweenRooms('experiments').filter(({ from, to }) => row(from) >= row(to));
  expect(new Set(wrong.map(({ from, to }) => `${from} -> ${to}`))).toEqual(new Set());
});

describe.each(PACKAGES)('the rooms of %s', (name) => {
  it('are those that docs/architecture.md lists', () => {
    const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
    const [, listed] = new RegExp(`^\\| ${name} +\\|[^|]*\\|([^|]*)\\|$`, 'mu').exec(page)!;
    const source = join(ROOT, 'packages', name, 'src');
    const folders = readdirSync(source).filter((file) => statSync(join(source, file)).isDirectory());
    // The rooms of experiments have a table of their own. A package without rooms has words for its files.
    const named = new Set(listed!.match(/[a-z]+(?:-[a-z]+)*/gu) ?? []);
    const wanted = listed!.includes('next table') ? [] : folders;
    expect(wanted.filter((room) => !named.has(room))).toEqual([]);
  });

  it('stand one above the other', () => {
    expect(circlesOf(importsBetweenRooms(name))).toEqual([]);
  });

  it('and the folders of its tests have sixteen files, or a reason', () => {
    const folders = new Map<string, number>();
    for (const part of ['src', 'test'])
      for (const file of filesBelow(join(ROOT, 'packages', name, part))) {
        const folder = relative(join(ROOT, 'packages'), dirname(file)).replace('/src', '');
        folders.set(folder, (folders.get(folder) ?? 0) + 1);
      }
    const large = [...folders].flatMap(([folder, files]) => (files > 16 ? [folder] : []));
    const reasoned = Object.keys(LARGE).filter((folder) => folder.split('/')[0] === name);
    expect(large.toSorted()).toEqual(reasoned.toSorted());
  });
});

it.each(['packages', 'benchmarks', 'mutants', 'release', 'test'])(
  'files of %s have 300 lines at most, and comments within the print width',
  (folder) => {
    const files = filesBelow(join(ROOT, folder)).map((file) => ({
      name: relative(ROOT, file),
      lines: readFileSync(file, 'utf8').trimEnd().split('\n'),
    }));
    const long = files.filter(({ name, lines }) => lines.length > 300 && !LONG.has(name));
    expect(long.map(({ name }) => name)).toEqual([]);
    const wide = files.flatMap(({ name, lines }) =>
      lines.flatMap((line, i) => (isWideComment(line) ? [`${name}:${i + 1}`] : [])),
    );
    expect(wide).toEqual([]);
  },
);

/** Formulas stand indented, on lines of their own; an example is one line. */
function isWideComment(line: string): boolean {
  return (
    line.length > PRINT_WIDTH &&
    /^\s*(?:\*|\/\*\*|\/\/) \S/u.test(line) &&
    !/@example|https?:|-disable/u.test(line)
  );
}

/** Of .prettierrc.json. */
const PRINT_WIDTH = 110;
