// @module-tag long
/** The table of gaps on docs/sharp-bound.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ParameterValues } from '@shuffle-dp/core';
import { expect, it } from 'vitest';
import { accountMechanism } from '../../../experiments/src/account/account.ts';
import { cellsOf } from './markdown-table.ts';
import { ROOT } from './reader-pages.ts';

const page = readFileSync(join(ROOT, 'docs/sharp-bound.md'), 'utf8');
const [, table] = /^\| n = 10,000, ε0 .*\n\|[- |]+\n((?:\|.*\n)+)/mu.exec(page)!;

const BUDGETS = [0.5, 1, 2, 4, 8];
const SETS = { domain: 32, items: 4 };

/** What the first column stands for. */
const SETTINGS: Readonly<Record<string, readonly [mechanism: string, given: ParameterValues]>> = {
  'binary-rr d 16': ['binary-rr', { domain: 16 }],
  'oue d 16': ['oue', { domain: 16 }],
  'subset d 16, k 4': ['subset', { domain: 16, subsetSize: 4 }],
  'subset d 128': ['subset', { domain: 128 }],
  'local-hash, 3 buckets, d 3': ['local-hash', { hashRange: 3, domain: 3 }],
  'local-hash, 3 buckets, d 16': ['local-hash', { hashRange: 3, domain: 16 }],
  'hadamard 16': ['hadamard', { order: 16 }],
  'duchi, by Theorem 6': ['duchi', {}],
  laplace: ['laplace', {}],
  'clip-laplace': ['clip-laplace', {}],
  piecewise: ['piecewise', {}],
  'subset-exponential d 32 s 4 k 3': ['subset-exponential', { ...SETS, subsetSize: 3 }],
  'collision, 4 items, 20 buckets': ['collision', { ...SETS, buckets: 20 }],
  'wheel, 4 items, arc 1/16': ['wheel', { ...SETS, length: 1 / 16 }],
  'priv-unit c 1/4, 100 dimensions': ['priv-unit', { dimensions: 100, cap: 1 / 4 }],
};

const rows = table!.trimEnd().split('\n').map(cellsOf);

it('has a row of each setting', () => {
  expect(rows.map(([name]) => name)).toEqual(Object.keys(SETTINGS));
});

it.each(rows)('says how far the ends of %s are apart', (name, ...cells) => {
  const [mechanism, given] = SETTINGS[name!]!;
  const computed = cells.map((cell, i) => {
    const { bracket, bounds } = accountMechanism(mechanism, { ...given, epsilon0: BUDGETS[i]! }, 10_000, {
      delta: 1e-6,
    });
    const gapOf = (upper: number): number => 100 * (upper / bracket.lower - 1);
    const gaps = [gapOf(bounds.find((bound) => bound.name === 'blanket')!.value!), gapOf(bracket.upper)];
    const printed = cell.replace(' %', '').split(', ');
    // One number stands for both where no bound is below the blanket's.
    const shown = gaps.slice(-printed.length);
    return shown.map((gap, j) => gap.toFixed(printed[j]!.split('.')[1]?.length ?? 0));
  });
  expect(cells.map((cell) => cell.replace(' %', '').split(', '))).toEqual(computed);
});
