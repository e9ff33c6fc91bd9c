/** Writes the views of a learning run to its folder, each file whole or not at all. */
import { writePage } from '../page/write-page.ts';
import { rowsToCsv } from '../results/csv.ts';
import { jsonText, writeFiles } from '../run-folder/write-files.ts';
import { accuracyChart, learningReportPage } from './learning-report.ts';
import { finalAccuracy, learningResultsCsv, roundsCsv } from './learning-tables.ts';
import type { LearningRun } from './run-learning.ts';

/**
 * Writes the tables of a training, and its page where `report` is set, into an existing folder: rounds.csv,
 * results.csv and summary.json among them.
 */
export async function writeLearning(run: LearningRun, outDir: string, report: boolean): Promise<void> {
  const { examplesPerUser, dimensions, provenance, config } = run;
  writeFiles(outDir, {
    'rounds.csv': roundsCsv(run),
    'timings.csv': rowsToCsv(run.frameworks.map(({ label, seconds }) => ({ framework: label, seconds }))),
    'summary.json': jsonText({
      name: config.name,
      examplesPerUser,
      dimensions,
      frameworks: run.frameworks.map((framework) => ({
        framework: framework.label,
        ...framework.spec,
        accuracy: finalAccuracy(framework).mean,
        privacy: framework.privacy,
      })),
      provenance,
    }),
    'config.resolved.json': jsonText(config),
    'results.csv': learningResultsCsv(run),
  });
  if (report) await writePage(outDir, [accuracyChart(run)], (figures) => learningReportPage(run, figures));
}
