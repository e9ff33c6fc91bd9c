export { openThreads, workforceOf, type Executor, type Pool, type Threads, type Workforce } from './pool.ts';
export { TaskError } from './task-error.ts';
