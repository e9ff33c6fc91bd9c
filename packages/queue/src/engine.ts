/** The queue's engine, BullMQ. Beside addresses and refusals only this file knows the kind of server. */
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { createPostgresBackend, Queue, withBackend, Worker, type Job, type Processor } from 'bullmq';
import { Redis } from 'ioredis';
import { keepErrorsHarmless } from './postgres-clients.ts';
import type { QueueAddress } from './queue-address.ts';
import { refusedConnection } from './refused-connection.ts';

export interface PerformOptions {
  /** Jobs at a time. */
  readonly concurrency: number;
  /** After so many milliseconds without a sign of life a job is another worker's. */
  readonly lockMs: number;
}

/** Data of jobs are plain. */
export interface Engine {
  /** Of the server, for messages. */
  readonly shown: string;
  redacted(text: string): string;
  /** Connects once, and makes what the server lacks. @throws QueueError where nothing answers */
  prepare(): Promise<void>;
  /**
   * Stays connected, and connects again, until it is closed; so does a worker. Both wait for a server that is
   * gone. @throws the signal's reason where it is raised before they are connected
   */
  queue(name: string, signal?: AbortSignal): Promise<Queue>;
  worker(name: string, perform: Processor, options: PerformOptions, signal?: AbortSignal): Promise<Worker>;
}

/** What a queue and a worker share. */
interface Connecting {
  on(event: 'error', listener: (error: Error) => void): unknown;
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
}

/** After so long without a sign of life a task is another's, where nobody says otherwise. */
export const LOCK_MS = 10_000;

/** Everything stands under this prefix of keys, or in this schema. */
const PREFIX = 'shuffle-dp';
const SCHEMA = 'shuffle_dp';

const CONNECT_MS = 5000;
/** Tables are made meanwhile where they are missing. */
const PREPARE_MS = 30_000;
const LONGEST_PAUSE_MS = 1000;
/** A job that loses its worker is done again however often: the coordinator counts what fails by itself. */
const STALLS = 1_000_000;
/** Connections of one queue to PostgreSQL, besides one that listens. */
const CONNECTIONS = 2;

/** @param onTrouble told of connections that are lost; they come back by themselves */
export function openEngine(address: QueueAddress, onTrouble: (reason: string) => void): Engine {
  const { shown, redacted } = address;
  const trouble = (error: Error): void => onTrouble(redacted(error.message || String(error)));
  const listening = <Opened extends Connecting>(opened: Opened): Opened => {
    opened.on('error', trouble);
    return opened;
  };
  const untilReady = async <Opened extends Connecting>(
    open: () => Opened,
    signal?: AbortSignal,
  ): Promise<Opened> => {
    for (;;) {
      signal?.throwIfAborted();
      // One attempt after another, each with a connection of its own: one that failed at first keeps failing
      // on PostgreSQL, and a worker would fail as fast as it can.
      /* oxlint-disable no-await-in-loop */
      const opened = listening(open());
      try {
        await unlessRaised(signal, opened.waitUntilReady());
        return opened;
      } catch (error) {
        await closeSoon([opened]);
        signal?.throwIfAborted();
        trouble(error as Error);
        await setTimeout(LONGEST_PAUSE_MS);
      }
      /* oxlint-enable no-await-in-loop */
    }
  };
  const running = async (open: () => Worker, signal?: AbortSignal): Promise<Worker> => {
    const worker = await untilReady(open, signal);
    worker.run().catch(trouble);
    return worker;
  };
  const working = ({ concurrency, lockMs }: PerformOptions) => ({
    autorun: false,
    concurrency,
    lockDuration: lockMs,
    stalledInterval: lockMs / 2,
    maxStalledCount: STALLS,
    runRetryDelay: LONGEST_PAUSE_MS,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  });

  if (address.engine === 'postgres') {
    keepErrorsHarmless();
    const ForPostgres = withBackend(createPostgresBackend);
    const connection = {
      connectionString: address.url,
      schema: SCHEMA,
      max: CONNECTIONS,
      connectionTimeoutMillis: CONNECT_MS,
      migrate: true,
    };
    // The classes differ in the type of their backend alone, which nothing here looks at.
    const open = (name: string): Queue => new ForPostgres.Queue(name, { connection }) as unknown as Queue;
    return {
      shown,
      redacted,
      prepare: async () => {
        const probe = open('lobby');
        probe.on('error', () => {});
        try {
          await within(PREPARE_MS, probe.waitUntilReady());
        } catch (error) {
          throw refusedConnection(address, error);
        } finally {
          await closeSoon([probe]);
        }
      },
      queue: (name, signal) => untilReady(() => open(name), signal),
      worker: (name, perform, options, signal) =>
        running(
          () =>
            new ForPostgres.Worker(name, perform, { connection, ...working(options) }) as unknown as Worker,
          signal,
        ),
    };
  }

  const connection = {
    ...address.options,
    connectTimeout: CONNECT_MS,
    // Commands wait for a server that is gone until it is back.
    maxRetriesPerRequest: null,
    retryStrategy: (attempt: number) => Math.min(LONGEST_PAUSE_MS, 100 * attempt),
  };
  return {
    shown,
    redacted,
    prepare: async () => {
      const probe = new Redis({ ...connection, lazyConnect: true, retryStrategy: () => null });
      let failure: unknown;
      probe.on('error', (error) => (failure = error));
      try {
        await within(CONNECT_MS, answered(probe, address.options.db));
      } catch (error) {
        throw refusedConnection(address, failure ?? error);
      } finally {
        probe.disconnect();
      }
    },
    queue: (name, signal) => untilReady(() => new Queue(name, { connection, prefix: PREFIX }), signal),
    worker: (name, perform, options, signal) =>
      running(() => new Worker(name, perform, { connection, prefix: PREFIX, ...working(options) }), signal),
  };
}

/**
 * @throws where a number of a database is refused, without which the first one would be used, or a script on
 * the queue's keys, as all of its commands are
 */
async function answered(probe: Redis, database: number): Promise<void> {
  await probe.connect();
  await probe.ping();
  if (database > 0) await probe.select(database);
  await probe.eval("return redis.call('EXISTS', KEYS[1])", 1, `${PREFIX}:lobby`);
}

/** A server may take a connection and say nothing. @throws where it does */
async function within(milliseconds: number, answer: Promise<unknown>): Promise<void> {
  if (!(await comesWithin(milliseconds, answer)))
    throw new Error(`no answer within ${milliseconds / 1000} s`);
}

/** Whether it comes in time; what fails in time is thrown. */
async function comesWithin(milliseconds: number, answer: Promise<unknown>): Promise<boolean> {
  const waiting = new AbortController();
  const late = setTimeout(milliseconds, false, { signal: waiting.signal }).catch(() => false);
  try {
    return await Promise.race([answer.then(() => true), late]);
  } finally {
    waiting.abort();
  }
}

/** @throws the signal's reason where it is raised before there is an answer */
async function unlessRaised(signal: AbortSignal | undefined, answer: Promise<unknown>): Promise<void> {
  if (signal === undefined) return void (await answer);
  const waiting = new AbortController();
  const raised = once(signal, 'abort', { signal: waiting.signal }).then(() => signal.throwIfAborted());
  try {
    await Promise.race([answer, raised]);
  } finally {
    waiting.abort();
  }
}

export type { Job };

const CLOSING_MS = 2000;

/**
 * Closes what may be connected to a server that is gone: nobody waits long for its farewell.
 *
 * @returns whether it came
 */
export async function closeSoon(
  opened: readonly { close(): Promise<void>; disconnect?(): Promise<void> }[],
): Promise<boolean> {
  const closed = Promise.allSettled(opened.map((each) => each.close()));
  const isLate = !(await comesWithin(CLOSING_MS, closed));
  // Else they would go on trying to connect.
  if (isLate) for (const each of opened) void each.disconnect?.().catch(() => undefined);
  return !isLate;
}
