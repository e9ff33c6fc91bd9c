/** What `run` and `merge` say of a finished run. */
import { counted } from '@shuffle-dp/experiments/words';
import type { RunCommandOptions } from '../run-config.ts';
import type { RunResult } from '@shuffle-dp/experiments/results';
import { printJson, printText } from './print.ts';
import { refusedLines } from './refused-cells.ts';

/** @param origin what the numbers were joined from, where they were */
export async function printRun(
  run: RunResult,
  out: string,
  { json, report }: Pick<RunCommandOptions, 'json' | 'report'>,
  origin = '',
): Promise<void> {
  if (json) {
    const { comparisonJson } = await import('./comparison-json.ts');
    return printJson({
      ...comparisonJson(run, out, false),
      provenance: run.provenance,
      ...(run.trace ? { trace: run.trace } : {}),
    });
  }
  if (run.trace) {
    const { traceText } = await import('./trace-text.ts');
    printText(`${traceText(run)}\n`);
  }
  for (const line of refusedLines(run.refused)) printText(line);
  printText(
    `${counted(run.cells.length, 'cell')} of ${counted(run.config.trials, 'trial')}${origin}: ${out}/results.csv${report === false ? '' : `, ${out}/report.html`}`,
  );
}
