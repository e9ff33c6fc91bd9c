/**
 * A run of an experiment config, whole or one shard of it: plan the cells, and run those that the journal
 * lacks.
 */
import { requireInteger } from '@shuffle-dp/core';
import type { ExperimentConfig } from '../config/schema.ts';
import { LIMITS } from '../documents/limits.ts';
import type { RunResult } from '../results/run-result.ts';
import { assembleRun } from './assemble-run.ts';
import { isRefusal, type CellOutcome } from './cell-refusal.ts';
import { canonicalHash } from '../run-folder/canonical-json.ts';
import { journalledRun, provenanceOf, type JournalledRunOptions } from '../run-folder/journalled-run.ts';
import type { RunProvenance } from '../run-folder/journal.ts';
import { planExperiment } from '../cells/plan-experiment.ts';
import { PLAN_FORMAT, writtenPlan, type RecordedPlan } from '../cells/recorded-plan.ts';
import type { CellRunOptions } from './pooled-run.ts';
import { runCells } from './run-cells.ts';
import type { Shard } from '../run-folder/shard.ts';
import { shardCells } from '../cells/shards.ts';
import { requireTraceable, traceShuffle } from './trace-shuffle.ts';

export interface RunOptions extends CellRunOptions, JournalledRunOptions<RunResult> {
  readonly trace?: boolean | undefined;
}

/**
 * Runs an experiment, or what its journal lacks of it; everything comes back as plain data.
 *
 * @throws ParameterError, ConfigError, DataFileError, OutputError, LockedError before any work; StoppedError;
 * the signal's reason when aborted
 */
export async function runExperiment(
  config: ExperimentConfig,
  configFile: string,
  options: RunOptions,
): Promise<RunResult> {
  // Before there is a folder, which the next run would have to replace.
  options.signal?.throwIfAborted();
  const { provenance, plan } = planned(config, configFile, options);
  const { cells } = plan;
  if (options.trace) requireTraceable(cells, configFile);
  const written = { ...provenance, plan: writtenPlan(plan) };
  return journalledRun<CellOutcome, RunResult>(written, options, async (finished, header) => {
    await runCells(cells, finished, configFile, { ...options, plan: provenance.configHash });
    const named = { ...plan, configFile: (header.plan as RecordedPlan).configFile };
    const run = assembleRun(named, header, (cell) => finished.get(cell)!);
    if (!options.trace) return run;
    const made = cells.filter(({ id }) => !isRefusal(finished.get(id)!));
    return { ...run, trace: await traceShuffle(made, configFile) };
  });
}

/** The plan as the journal keeps it, after telling the user how the data were read. @throws ParameterError */
function planned(
  config: ExperimentConfig,
  configFile: string,
  { command, onNotice }: Pick<JournalledRunOptions<never>, 'command' | 'onNotice'>,
): { readonly provenance: RunProvenance; readonly plan: RecordedPlan } {
  // Code may have changed the config after it was read.
  requireInteger('config.trials', config.trials, 1, LIMITS.trials.most);
  requireInteger('config.protocols.length', config.protocols.length, 1);
  const { cells, configHash, notices, dataNotes, skippedUsers, itemNames, padded } = planExperiment(
    config,
    configFile,
  );
  for (const notice of notices) onNotice?.(notice);
  return {
    provenance: provenanceOf(configHash, config.seed, command),
    plan: {
      format: PLAN_FORMAT,
      config,
      configFile,
      cells,
      ...(skippedUsers > 0 ? { skippedUsers } : {}),
      ...(dataNotes.length > 0 ? { dataNotes } : {}),
      ...(itemNames ? { itemNames } : {}),
      ...(padded ? { padded } : {}),
    },
  };
}

/** What a finished shard holds of the whole run. */
export interface ShardRun {
  readonly shard: Shard;
  readonly cells: number;
  readonly cellsOfRun: number;
}

export interface ShardOptions extends CellRunOptions, JournalledRunOptions<ShardRun> {
  readonly shard: Shard;
}

/** Runs the cells of one shard into a journal of its own, for `mergeRuns`. @throws as `runExperiment` */
export async function runShard(
  config: ExperimentConfig,
  configFile: string,
  options: ShardOptions,
): Promise<ShardRun> {
  const { shard } = options;
  const { provenance, plan } = planned(config, configFile, options);
  const { cells } = plan;
  const header = { ...provenance, shard, plan: writtenPlan(plan) };
  const own = shardCells(cells, shard);
  return journalledRun<CellOutcome, ShardRun>(header, options, async (finished) => {
    const shardPlan = canonicalHash([provenance.configHash, shard]);
    await runCells(own, finished, configFile, { ...options, plan: shardPlan, part: true });
    return { shard, cells: own.length, cellsOfRun: cells.length };
  });
}
