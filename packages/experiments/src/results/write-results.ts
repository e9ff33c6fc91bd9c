/** Writes the views of a run to its folder, each file whole or not at all. */
import { join } from 'node:path';
import { writeFileAtomically } from '../run/output-folder.ts';
import { privacyCsv, resultsCsv, timingsCsv, trialsCsv } from './result-tables.ts';
import type { RunResult } from './run-result.ts';
import { resolvedConfigJson, summaryJson } from './summary.ts';

export async function writeResults(
  run: RunResult,
  outDir: string,
  { keepTrials, report }: { readonly keepTrials: boolean; readonly report: boolean },
): Promise<void> {
  const files: Readonly<Record<string, string>> = {
    'privacy.csv': privacyCsv(run),
    'timings.csv': timingsCsv(run),
    'summary.json': summaryJson(run),
    'config.resolved.json': resolvedConfigJson(run),
    ...(keepTrials ? { 'trials.csv': trialsCsv(run) } : {}),
    'results.csv': resultsCsv(run),
  };
  for (const [name, content] of Object.entries(files)) writeFileAtomically(join(outDir, name), content);
  if (!report) return;
  // The chart library takes a second to load.
  const { writeReport } = await import('../report/index.ts');
  await writeReport(run, outDir);
}
