/**
 * Runs every benchmark file here, or those whose names are given, and prints one line a row; with
 * `--markdown` as the tables of docs/benchmarks.md. `--compare` holds the ratios to plain baselines against
 * baseline.json and fails where one was lost; `--record` keeps them there.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  betterOf,
  comparisonText,
  compareWithBaseline,
  ratiosOf,
  readBaseline,
  recordBaseline,
} from './baseline.ts';
import type { BenchmarkRow } from './row.ts';

const { values, positionals } = parseArgs({
  options: {
    markdown: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    compare: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
/** Of a file with a loss, the first one included. */
const MOST_MEASUREMENTS = 3;
const HELPERS = ['run.ts', 'row.ts', 'baseline.ts'];
const known = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && !HELPERS.includes(file))
  .map((file) => file.slice(0, -3));
/** Their threads, and so their rows, depend on the cores: compared and recorded only where they are named. */
const OF_THIS_MACHINE: readonly string[] = ['main-job', 'many-users'];
const unknown = positionals.filter((name) => !known.includes(name));
const keeping = values.compare || values.record;
const files = known.filter((name) =>
  positionals.length === 0 ? !(keeping && OF_THIS_MACHINE.includes(name)) : positionals.includes(name),
);

if (unknown.length > 0) {
  console.error(`${unknown.join(', ')}: must be one of ${known.join(', ')}`);
  process.exitCode = 2;
} else if (values.compare) compare();
else if (values.record) record();
else if (files.length === 1) await print(files[0]!);
else
  for (const file of files)
    if (run(file, values.markdown ? ['--markdown'] : []) === null) process.exitCode = 1;

async function print(file: string): Promise<void> {
  const { rows } = (await import(`./${file}.ts`)) as { rows: () => BenchmarkRow[] };
  const measured = rows();
  if (values.json) return console.log(JSON.stringify(measured));
  const groups = new Map<string, BenchmarkRow[]>();
  for (const row of measured) groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
  for (const [group, members] of groups) {
    if (values.markdown) console.log(tableHead(group));
    for (const row of members) console.log(values.markdown ? tableLine(row) : textLine(row));
  }
}

/**
 * A process each: a loop compiled for the columns of one file may be many times slower on those of the next.
 */
function run(file: string, flags: readonly string[], stdout: 'inherit' | 'pipe' = 'inherit'): string | null {
  const { status, stdout: printed } = spawnSync(
    process.execPath,
    [...process.execArgv, import.meta.filename, file, ...flags],
    { stdio: ['ignore', stdout, 'inherit'], encoding: 'utf8' },
  );
  return status === 0 ? (printed ?? '') : null;
}

function measure(file: string): Record<string, number> {
  console.error(`measuring ${file}`);
  const printed = run(file, ['--json'], 'pipe');
  if (printed === null) throw new Error(`the benchmark ${file} failed`);
  return ratiosOf(file, JSON.parse(printed) as BenchmarkRow[]);
}

function measureAll(): Record<string, number> {
  return Object.assign({}, ...files.map(measure)) as Record<string, number>;
}

/**
 * Files with a loss are measured again, up to three times in all, and the best ratios count: a busy moment is
 * no loss.
 */
function compare(): void {
  const baseline = readBaseline();
  let measured = measureAll();
  for (let times = 1; times < MOST_MEASUREMENTS; times++) {
    const { losses } = compareWithBaseline(baseline.ratios, measured, files);
    for (const file of new Set(losses.map(({ key }) => key.split(' / ')[0]!)))
      measured = betterOf(measured, measure(file));
  }
  const { text, passed } = comparisonText(
    compareWithBaseline(baseline.ratios, measured, files),
    baseline.node,
  );
  console.log(text);
  if (!passed) process.exitCode = 1;
}

/** Of two runs the worse ratio is kept: what both reach, later ones should. */
function record(): void {
  const first = measureAll();
  const second = measureAll();
  const both = Object.fromEntries(
    Object.entries(first).map(([key, ratio]) => [key, Math.min(ratio, second[key] ?? ratio)]),
  );
  recordBaseline(both, files, existing());
  console.log(`${Object.keys(both).length} ratios are kept in benchmarks/baseline.json`);
}

function existing(): ReturnType<typeof readBaseline> | undefined {
  try {
    return readBaseline();
  } catch {
    return undefined;
  }
}

function textLine({ group: of, name, value, unit, baseline, ratio, others }: BenchmarkRow): string {
  const measured = `${of.padEnd(10)} ${name.padEnd(46)} ${short(value).padStart(9)} ${unit.padEnd(16)}`;
  const beside =
    baseline && ratio ? `${baseline.name}: ${short(baseline.value)}, ${short(ratio)} times better` : '';
  return [measured, beside, others && `others: ${others}`].filter(Boolean).join('  ').trimEnd();
}

function tableHead(of: string): string {
  return `\n### ${of[0]!.toUpperCase()}${of.slice(1)}\n\n| what | measured | unit | plain baseline | times better | others |\n| --- | ---: | --- | --- | ---: | --- |`;
}

function tableLine({ name, value, unit, baseline, ratio, others = '' }: BenchmarkRow): string {
  const beside = baseline ? `${baseline.name}: ${short(baseline.value)}` : '';
  return `| ${name} | ${short(value)} | ${unit} | ${beside} | ${ratio ? short(ratio) : ''} | ${others} |`;
}

/** Three digits, without an exponent. */
function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}
