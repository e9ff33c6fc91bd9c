/** Which workers a coordinator has, and what it tells of them. */
import { counted } from '@shuffle-dp/experiments/words';
import type { Entry } from './lobby.ts';

/** So long a coordinator waits before it says that nobody is there. */
const PATIENCE_MS = 3000;
const MOST_NAMED = 20;

export class WorkerWatch {
  readonly #version: string;
  readonly #shown: string;
  readonly #onNotice: (line: string) => void;
  readonly #refused = new Set<string>();
  #present = new Map<string, Entry>();
  #askedForWorkers = false;

  constructor(version: string, shown: string, onNotice: (line: string) => void) {
    this.#version = version;
    this.#shown = shown;
    this.#onNotice = onNotice;
  }

  /** Threads of each worker of this version, by its id. */
  get threads(): ReadonlyMap<string, number> {
    return new Map([...this.#present].map(([id, { threads }]) => [id, threads]));
  }

  /** @param waited milliseconds since the run began */
  see(entries: readonly Entry[], waited: number): void {
    const workers = entries.filter(({ kind }) => kind === 'worker');
    const before = this.#present;
    this.#present = new Map(
      workers.filter(({ version }) => version === this.#version).map((entry) => [entry.id, entry]),
    );
    for (const { id, name, version } of workers) {
      if (version === this.#version || this.#refused.has(id)) continue;
      this.#refused.add(id);
      this.#onNotice(
        `worker ${name} is refused: it runs version ${version} of the program, this is ${this.#version} (code, Node, or kind of processor)`,
      );
    }
    for (const [id, { name, threads }] of this.#present)
      if (!before.has(id)) this.#onNotice(`worker ${name} is there: ${counted(threads, 'thread')}`);
    for (const [id, { name }] of before)
      if (!this.#present.has(id)) this.#onNotice(`worker ${name} is gone: its tasks go to others`);
    if (this.#present.size > 0 || this.#askedForWorkers || waited < PATIENCE_MS) return;
    this.#askedForWorkers = true;
    this.#onNotice(
      `${this.#shown}: no worker is there yet: start one with \`shuffle-dp work --queue URL\` on this machine or another`,
    );
  }

  /** Who does what, in one line. */
  line(answered: ReadonlyMap<string, number>): string {
    const present = [...this.#present.values()];
    const threads = present.reduce((sum, worker) => sum + worker.threads, 0);
    const named = present
      .slice(0, MOST_NAMED)
      .map(
        ({ name, doing }) => `${name} has done ${answered.get(name) ?? 0}, is at ${doing[0] ?? 'nothing'}`,
      );
    if (present.length > MOST_NAMED) named.push(`and ${present.length - MOST_NAMED} more`);
    return [`workers: ${present.length} with ${counted(threads, 'thread')}`, ...named].join('; ');
  }
}

/** Tasks by worker: 'a:1 340, b:7 325' */
export function progressLine(answered: ReadonlyMap<string, number>): string {
  const most = [...answered].sort(([, a], [, b]) => b - a).map(([name, tasks]) => `${name} ${tasks}`);
  const shown = most.slice(0, MOST_NAMED).join(', ');
  return most.length === 0
    ? ''
    : `tasks by worker: ${shown}${most.length > MOST_NAMED ? `, and ${most.length - MOST_NAMED} more` : ''}`;
}
