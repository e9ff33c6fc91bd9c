export { type DryCell, type DryRun, type DryRunOptions, dryRun } from './dry-run/dry-run.ts';
export type { RunProgress } from './run-progress.ts';
export { type RunOptions, type ShardRun, runExperiment, runShard } from './run-experiment.ts';
export type { RunResult } from '../results/run-result.ts';
export { mergeRuns } from './merge-runs.ts';
export { planExperiment } from '../cells/plan-experiment.ts';
