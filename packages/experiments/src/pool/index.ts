export type { Executor } from './executor.ts';
export { openThreads, type Pool, type Threads } from './pool.ts';
export { TaskError } from './task-error.ts';
