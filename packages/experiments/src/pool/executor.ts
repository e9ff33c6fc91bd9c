/**
 * The seam at which tasks leave this process: what an engine of many machines does in the place of threads.
 */
import type { Pool } from './pool.ts';

export interface Executor {
  /**
   * Runs `work` with a pool that ends with it. Tasks and answers cross as JSON of plain data and
   * Float64Arrays.
   *
   * @param module URL of a module of `TASK_MODULES`
   * @param plan hash of what determines the tasks; may be ''
   * @throws what `work` throws, TaskError, and the signal's reason when aborted
   */
  withPool<Result>(
    module: string,
    plan: string,
    signal: AbortSignal | undefined,
    work: (pool: Pool) => Promise<Result>,
  ): Promise<Result>;
}
