/** What the parts of a run share, and a task's refusal in the config's own terms. */
import { ConfigError, pathText } from '../documents/config-error.ts';
import type { Cell } from '../kinds/cell.ts';
import type { Answer } from '../pool/answer.ts';
import type { Pool, PoolOptions } from '../pool/pool.ts';
import type { FinishedWork } from '../run-folder/journalled-run.ts';
import { threatWords } from '../results/cell-setting.ts';
import { counted } from '../words/counted.ts';
import type { CellOutcome } from './cell-refusal.ts';
import type { RunProgress } from './run-progress.ts';

export interface CellRunOptions extends PoolOptions {
  /** The run's folder. */
  readonly out: string;
  /** Folder of accounts that runs share; without it none are. */
  readonly keptAccounts?: string | undefined;
  /** Something that the user should know and that stops nothing, as one line. */
  readonly onNotice?: (line: string) => void;
  readonly onProgress?: (progress: RunProgress) => void;
  /** The cells are some of the run's: that all of them are refused stops nothing. */
  readonly part?: boolean;
}

export interface PooledRun {
  readonly pool: Pool;
  readonly configFile: string;
  readonly options: CellRunOptions;
  readonly finished: FinishedWork<CellOutcome>;
}

/** @throws ConfigError for a refusal, in the config's own terms */
export function accepted<Value>(
  answer: Answer<Value>,
  { series, spec, data, sweep }: Cell,
  configFile: string,
): Value {
  if ('value' in answer) return answer.value;
  const facing = threatWords({ sweep });
  const users = `${counted(data.users, 'user')}${facing.length === 0 ? '' : `, of whom ${facing.join(' and ')}`}`;
  throw new ConfigError(
    `${configFile}: ${pathText(['protocols', series])} (${spec.kind}) at ${users}: ${answer.refused}`,
  );
}
