export type { Executor } from './executor.ts';
export { openThreads, workforceOf, type Pool, type Threads, type Workforce } from './pool.ts';
export { TaskError } from './task-error.ts';
