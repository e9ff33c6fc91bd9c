/**
 * Who is there: workers and coordinators each keep an entry in a queue that nobody works on, and change it at
 * every beat. Who reads an entry knows by its own clock whether it still changes.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import { closeSoon, type Engine } from './engine.ts';

export const BEAT_MS = 1000;
/** An entry that has not changed for so long is of someone who is gone. */
export const GONE_MS = 6 * BEAT_MS;
const FORGOTTEN_MS = 60_000;
/** Who enters at the same moment as another has written by then. */
const SETTLED_MS = 200;

export interface Entry {
  readonly kind: 'worker' | 'run';
  readonly id: string;
  /** 'host:process' */
  readonly name: string;
  readonly version: string;
  readonly threads: number;
  /** What a worker is at, and how many tasks it has done. */
  readonly doing: readonly string[];
  readonly done: number;
}

/** An entry as it is kept: with the beat that it was changed at, and by which lobby. */
interface KeptEntry extends Entry {
  readonly beat: number;
  readonly by: string;
}

/** Of this process. */
export function ownName(): string {
  return `${hostname()}:${process.pid}`;
}

export class Lobby {
  readonly #engine: Engine;
  readonly #queue: Queue;
  readonly #own = randomBytes(8).toString('hex');
  readonly #seen = new Map<string, { beat: number; at: number }>();
  #beat = 0;

  private constructor(engine: Engine, queue: Queue) {
    this.#engine = engine;
    this.#queue = queue;
  }

  static async open(engine: Engine, signal?: AbortSignal): Promise<Lobby> {
    return new Lobby(engine, await engine.queue('lobby', signal));
  }

  /** The entries that still change. One that is seen for the first time counts. */
  async present(): Promise<Entry[]> {
    const jobs = await this.#queue.getJobs(['waiting']);
    const now = performance.now();
    const present: Entry[] = [];
    for (const job of jobs) {
      const { beat, by: _by, ...entry } = job.data as KeptEntry;
      const seen = this.#seen.get(entry.id);
      const isNew = seen === undefined || seen.beat !== beat;
      if (isNew) this.#seen.set(entry.id, { beat, at: now });
      const silence = isNew ? 0 : now - seen.at;
      if (silence < GONE_MS) present.push(entry);
      // oxlint-disable-next-line no-await-in-loop
      else if (silence > FORGOTTEN_MS) await job.remove();
    }
    return present;
  }

  /** Puts the entry. @returns who stands in its place, where another one was quicker */
  async enter(entry: Entry): Promise<Entry | null> {
    await this.#put(entry);
    await setTimeout(SETTLED_MS);
    const job = await this.#queue.getJob(entry.id);
    const kept = job?.data as KeptEntry | undefined;
    return kept && kept.by !== this.#own ? kept : null;
  }

  /**
   * Keeps the entry, and calls `onBeat`, until the signal is raised; gets over servers that are gone, or
   * empty.
   */
  async keep(entry: () => Entry, signal: AbortSignal, onBeat: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      /* oxlint-disable no-await-in-loop */
      try {
        await this.#put(entry());
        await onBeat();
      } catch {
        // A database that was made anew lacks its tables.
        await this.#engine.prepare().catch(() => undefined);
      }
      await setTimeout(BEAT_MS, undefined, { signal }).catch(() => undefined);
      /* oxlint-enable no-await-in-loop */
    }
  }

  async leave(id: string): Promise<void> {
    await closeSoon([{ close: async () => void (await this.#queue.remove(id)) }]);
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }

  /** Where the server is gone: a queue that waits to say farewell would go on trying to connect. */
  async disconnect(): Promise<void> {
    await this.#queue.disconnect();
  }

  async #put(entry: Entry): Promise<void> {
    const data: KeptEntry = { ...entry, beat: ++this.#beat, by: this.#own };
    const job = await this.#queue.getJob(entry.id);
    if (job) await job.updateData(data);
    // The first of several that add it at the same moment is kept.
    else await this.#queue.add(entry.kind, data, { jobId: entry.id });
  }
}
