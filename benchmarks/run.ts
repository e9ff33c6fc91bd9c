/**
 * Runs every benchmark file here, or those whose names are given, and prints one line a row; with `--markdown` as the
 * tables of docs/benchmarks.md.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { BenchmarkRow } from './row.ts';

const { values, positionals } = parseArgs({
  options: { markdown: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const files = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts' && file !== 'row.ts')
  .filter((file) => positionals.length === 0 || positionals.includes(file.slice(0, -3)));

if (files.length === 1) {
  const { rows } = (await import(`./${files[0]}`)) as { rows: () => BenchmarkRow[] };
  const groups = new Map<string, BenchmarkRow[]>();
  for (const row of rows()) groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
  for (const [group, members] of groups) {
    if (values.markdown) console.log(tableHead(group));
    for (const row of members) console.log(values.markdown ? tableLine(row) : textLine(row));
  }
} else {
  // A process each: a loop compiled for the columns of one file may be many times slower on those of the next.
  const flags = values.markdown ? ['--markdown'] : [];
  for (const file of files) {
    const { status } = spawnSync(
      process.execPath,
      [...process.execArgv, import.meta.filename, file.slice(0, -3), ...flags],
      { stdio: 'inherit' },
    );
    if (status !== 0) process.exitCode = 1;
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
