/** A task that ended without an answer: its thread died, or the program has a fault. */
import { inspect } from 'node:util';

/** A task of the pool that ended without an answer. The message is one line that says where. */
export class TaskError extends Error {
  override readonly name = 'TaskError';
  readonly code = 'task-failed';
}

/** What happened, in one line that says where. */
export function taskError(error: unknown): TaskError {
  if (!(error instanceof Error))
    return new TaskError(`a task failed: ${inspect(error, { breakLength: Infinity, depth: 1 })}`, {
      cause: error,
    });
  return new TaskError(reasonOf(error), { cause: error });
}

/** The threads that `start` makes. @throws TaskError where the system has no room for them */
export function started<Threads>(start: () => Threads): Threads {
  try {
    return start();
  } catch (error) {
    throw taskError(error);
  }
}

function reasonOf(error: Error): string {
  const { code } = error as { code?: string };
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return 'a worker thread ran out of memory';
  // Its message is the system's code, such as EAGAIN.
  if (code === 'ERR_WORKER_INIT_FAILED')
    return `a worker thread cannot be started: the system allows no more threads, or has no memory for one (${error.message})`;
  const exit = /^worker exited with code: (\d+)$/u.exec(error.message);
  if (exit) return `a worker thread ended with exit code ${exit[1]}`;
  const place = /([^\s/\\(]+\.[cm]?[jt]s):(\d+)/u.exec(error.stack?.slice(error.message.length) ?? '');
  const where = place ? ` (${place[1]}:${place[2]})` : '';
  return `a task failed: ${error.name}: ${error.message.split('\n')[0]}${where}`;
}
