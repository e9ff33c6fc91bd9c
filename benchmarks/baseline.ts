/**
 * What was measured before, kept in baseline.json: how many times better than its plain baseline each row
 * was. Both are measured in one run, so these ratios hardly depend on the machine, and a loss of speed shows
 * on any.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchmarkRow } from './row.ts';

export interface Baseline {
  /** Major version of the Node that it was recorded with: engines differ in what they compile well. */
  readonly node: number;
  /**
   * Times better than the plain baseline, three digits, by file, group and name:
   * 'samplers / samplers / Gaussian'.
   */
  readonly ratios: Readonly<Record<string, number>>;
}

/**
 * A row is lost when its ratio is below the kept one divided by this: wide, because single ratios scatter.
 */
export const LOSS_FACTOR = 2;

const FILE = join(import.meta.dirname, 'baseline.json');

export interface Loss {
  readonly key: string;
  readonly before: number;
  readonly now: number;
}

export interface BaselineComparison {
  readonly compared: number;
  /** The largest loss first. */
  readonly losses: readonly Loss[];
  /** Rows of the measured files that are kept and were not measured. */
  readonly missing: readonly string[];
  /** Rows that were measured and are not kept. */
  readonly fresh: readonly string[];
}

/** The ratios of the rows of one benchmark file; rows without a plain baseline have none. */
export function ratiosOf(file: string, rows: readonly BenchmarkRow[]): Record<string, number> {
  return Object.fromEntries(
    rows.flatMap(({ group, name, ratio }) =>
      ratio === undefined ? [] : [[`${file} / ${group} / ${name}`, Number(ratio.toPrecision(3))]],
    ),
  );
}

/** @param files names of the files that were measured: of the others nothing is said */
export function compareWithBaseline(
  kept: Baseline['ratios'],
  measured: Baseline['ratios'],
  files: readonly string[],
): BaselineComparison {
  const concerned = Object.keys(kept).filter((key) => files.includes(key.split(' / ')[0]!));
  const both = concerned.filter((key) => key in measured);
  return {
    compared: both.length,
    losses: both
      .map((key) => ({ key, before: kept[key]!, now: measured[key]! }))
      .filter(({ before, now }) => !(now * LOSS_FACTOR >= before))
      .sort((a, b) => b.before / b.now - a.before / a.now),
    missing: concerned.filter((key) => !(key in measured)),
    fresh: Object.keys(measured).filter((key) => !(key in kept)),
  };
}

/** Of each row the better of two measurements: what disturbs a run makes it slower. */
export function betterOf(first: Baseline['ratios'], second: Baseline['ratios']): Record<string, number> {
  const keys = new Set([...Object.keys(first), ...Object.keys(second)]);
  return Object.fromEntries(
    [...keys].map((key) => [key, Math.max(first[key] ?? -Infinity, second[key] ?? -Infinity)]),
  );
}

export function readBaseline(): Baseline {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Baseline;
}

/** Keeps these ratios; those of files that were not measured stay. */
export function recordBaseline(
  measured: Baseline['ratios'],
  files: readonly string[],
  kept?: Baseline,
): void {
  const others = Object.entries(kept?.ratios ?? {}).filter(([key]) => !files.includes(key.split(' / ')[0]!));
  const ratios = Object.fromEntries(
    [...others, ...Object.entries(measured)].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const node = Number(process.versions.node.split('.')[0]);
  writeFileSync(FILE, `${JSON.stringify({ node, ratios }, null, 2)}\n`);
}

/** What `bench --compare` prints, and whether it passes. */
export function comparisonText(
  { compared, losses, missing, fresh }: BaselineComparison,
  node: number,
): { readonly text: string; readonly passed: boolean } {
  const short = (value: number): string => String(Number(value.toPrecision(3)));
  const here = Number(process.versions.node.split('.')[0]);
  const lines = [
    ...losses.map(
      ({ key, before, now }) =>
        `LOST ${key}: ${short(now)} times its plain baseline, was ${short(before)}: ${short(before / now)} times slower, more than ${LOSS_FACTOR}`,
    ),
    ...missing.map((key) => `GONE ${key}: is in the baseline and was not measured; record it anew`),
    ...fresh.map((key) => `new  ${key}: is not in the baseline; record it`),
    ...(here === node ? [] : [`note: the baseline was recorded with Node ${node}, this is ${here}`]),
    `${compared} rows compared with the baseline, ${losses.length} lost more than a factor ${LOSS_FACTOR}`,
  ];
  return { text: lines.join('\n'), passed: losses.length === 0 && missing.length === 0 };
}
