/** The report of a run: one page that opens offline, and its figures as files. */
import type { RunResult } from '../results/run-result.ts';

/** Writes `report.html` and `figures/` under `outDir`; the folder exists. */
export async function writeReport(_run: RunResult, _outDir: string): Promise<void> {}
