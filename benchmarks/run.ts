/** Runs every benchmark file here, or those whose names are given, and prints one line a row. */
import { readdirSync } from 'node:fs';
import type { BenchmarkRow } from './row.ts';

const asked = process.argv.slice(2);
const files = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts' && file !== 'row.ts')
  .filter((file) => asked.length === 0 || asked.includes(file.slice(0, -3)));

for (const file of files) {
  const { rows } = (await import(`./${file}`)) as { rows: () => BenchmarkRow[] };
  for (const row of rows()) console.log(format(row));
}

function format({ group, name, value, unit, baseline, ratio }: BenchmarkRow): string {
  const measured = `${group.padEnd(10)} ${name.padEnd(46)} ${value.toPrecision(3).padStart(9)} ${unit.padEnd(16)}`;
  if (baseline === undefined || ratio === undefined) return measured.trimEnd();
  return `${measured} ${baseline.name}: ${baseline.value.toPrecision(3)}, ${ratio.toPrecision(3)} times better`;
}
