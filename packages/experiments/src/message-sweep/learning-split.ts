/**
 * What is settled before the first trial: the data, how many users are learnt from, and what names the run.
 */
import { resolve } from 'node:path';
import { deltaOfUsers } from '../documents/delta-of-users.ts';
import { canonicalHash } from '../run-folder/canonical-json.ts';
import type { JournalHeader, RunProvenance } from '../run-folder/journal.ts';
import { provenanceOf, type JournalledRunOptions } from '../run-folder/journalled-run.ts';
import { loadOrRefuse, type LearningSource, type LoadedData } from './learning-source.ts';

interface LearningConfig {
  readonly seed: string;
  readonly data: object;
  /** Of the users, those who only test. */
  readonly testShare: number;
  readonly privacy: { readonly delta: number | string };
}

/** What every run tells that learns from rounds of shuffled histograms. */
export interface LearningSplit<Config> {
  readonly config: Config;
  readonly configFile: string;
  readonly trainUsers: number;
  readonly testUsers: number;
  readonly delta: number;
  /** Users of the file that are left out for missing values. */
  readonly skippedUsers: number;
}

export interface LearningRun<Config> extends LearningSplit<Config> {
  readonly provenance: JournalHeader;
}

export interface SettledLearning<Config, Loaded> {
  readonly loaded: Loaded;
  readonly split: LearningSplit<Config>;
  /** What all tasks share, but for the shape of the data. */
  readonly source: Omit<LearningSource<Config, never>, 'shape'>;
  readonly provenance: RunProvenance;
}

/** Reads the data of a config, and settles what its run is about. @throws ConfigError */
export function settleLearning<Config extends LearningConfig, Loaded extends LoadedData>(
  config: Config,
  configFile: string,
  read: (config: Config, file: string) => Loaded,
  { command, onNotice }: Pick<JournalledRunOptions<never>, 'command' | 'onNotice'>,
): SettledLearning<Config, Loaded> {
  const loaded = loadOrRefuse(read, config, configFile);
  for (const notice of loaded.notices) onNotice?.(notice);
  const { users, digest, skippedUsers } = loaded;
  const trainUsers = trainUsersOf(users, config.testShare);
  const delta = deltaOfUsers(config.privacy.delta, trainUsers, configFile);
  return {
    loaded,
    split: { config, configFile, trainUsers, testUsers: users - trainUsers, delta, skippedUsers },
    source: { config, file: resolve(configFile), digest, trainUsers, delta },
    provenance: sweepProvenance(config, digest, command),
  };
}

/** Users to learn from. Of two users or more, each part has at least one. */
function trainUsersOf(users: number, testShare: number): number {
  return Math.max(1, Math.min(users - 1, Math.round(users * (1 - testShare))));
}

/** The same wherever the data lie. */
function sweepProvenance(
  config: LearningConfig,
  digest: string | null,
  command: string | undefined,
): RunProvenance {
  const data = { ...config.data, path: undefined };
  return provenanceOf(canonicalHash({ ...config, $schema: undefined, data, digest }), config.seed, command);
}
