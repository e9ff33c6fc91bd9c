/**
 * What all tasks of a learning config share, and its data: read where it is planned, and again by a task on
 * another machine.
 */
import { keptByKey, RandomStream } from '@shuffle-dp/core';
import { DataFileError } from '../data/data-file.ts';
import { ConfigError, pathText } from '../documents/config-error.ts';

export interface LearningSource<Config, Shape> {
  readonly config: Config;
  /** Absolute: where the config was read. */
  readonly file: string;
  /** Of the data file; null where data are drawn. */
  readonly digest: string | null;
  readonly shape: Shape;
  /** Of the users, those who are learnt from. */
  readonly trainUsers: number;
  readonly delta: number;
}

export interface LoadedData {
  readonly users: number;
  /** Of the file, and its digest; null where data are drawn. */
  readonly path: string | null;
  readonly digest: string | null;
  readonly notices: readonly string[];
  /** Users of the file that are left out for missing values. */
  readonly skippedUsers: number;
}

type Reader<Config, Loaded> = (config: Config, file: string) => Loaded;

/** Before a run: what is wrong with the data is refused as the config's. @throws ConfigError */
export function loadOrRefuse<Config, Loaded>(
  read: Reader<Config, Loaded>,
  config: Config,
  file: string,
): Loaded {
  try {
    return read(config, file);
  } catch (error) {
    if (error instanceof DataFileError)
      throw new ConfigError(`${file}: ${pathText(['data', 'path'])}: ${error.message}`);
    throw error;
  }
}

/**
 * The data of a task whose source carries none, read once on each thread.
 *
 * @param what the data are, for the refusal of a file that is another here: throws DataFileError
 */
export function readOnce<Config, Loaded extends LoadedData>(
  read: Reader<Config, Loaded>,
  what: string,
): (source: LearningSource<Config, unknown>) => Loaded {
  const last = keptByKey<Loaded>(1);
  return ({ config, file, digest }) =>
    last(JSON.stringify([config, file, digest]), () => {
      const loaded = read(config, file);
      if (loaded.digest !== digest)
        throw new DataFileError(loaded.path!, `has not the ${what} that the run was planned with`);
      return loaded;
    });
}

/** Everything random in a trial, whatever is learnt and wherever. */
export function trialStream({ seed }: { readonly seed: string }, trial: number): RandomStream {
  return RandomStream.fromSeed(seed).fork('trial').fork(trial);
}
