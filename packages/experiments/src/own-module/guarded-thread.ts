/**
 * What code of a user's must not reach from its thread: the end of the program, its stdout, and what makes
 * two runs differ. A guard against mistakes, not a sandbox.
 */
import { isMainThread } from 'node:worker_threads';
import { onceEach } from '@shuffle-dp/core';
import { beginCall } from '../pool/call-watch.ts';

/** A module did what it must not. */
export class ForbiddenError extends Error {
  override readonly name: string = 'ForbiddenError';
}

const now = performance.now.bind(performance);
const toBytes = new TextEncoder();

/** Seconds that a call may take, and all calls together. */
export interface CallLimits {
  readonly call: number;
  readonly altogether: number;
}

interface ModuleTime {
  readonly limits: CallLimits;
  spentMilliseconds: number;
}

const times = new Map<string, ModuleTime>();
/** What is being called that must give the same whenever it is called; null for none. */
let determined: string | null = null;

/** For the calls of a module from here on. @param module as messages name it */
export function limitCalls(module: string, limits: CallLimits): void {
  times.set(module, { limits, spentMilliseconds: 0 });
}

/**
 * Calls code of the module.
 *
 * @param module as messages name it
 * @param what the call as messages name it: 'estimate'
 * @throws ForbiddenError where all calls together took too long; what the code throws
 */
export function foreignCall<Result>(module: string, what: string, call: () => Result): Result {
  const { end } = begun(module, what);
  const outer = determined;
  determined = what;
  try {
    return call();
  } finally {
    determined = outer;
    end();
  }
}

/** As `foreignCall` for what is awaited, such as loading, which may look at the clock. */
export async function awaitedForeignCall<Result>(
  module: string,
  what: string,
  call: () => Promise<Result>,
): Promise<Result> {
  const { end } = begun(module, what);
  try {
    return await call();
  } finally {
    end();
  }
}

function begun(module: string, what: string): { end(): void } {
  const time = times.get(module);
  const { call = Infinity, altogether = Infinity } = time?.limits ?? {};
  if (time !== undefined && time.spentMilliseconds > 1000 * altogether)
    throw new ForbiddenError(`its calls have taken more than ${altogether} seconds altogether`);
  const label = bytesOf(`module = ${JSON.stringify(module)}: must be one that ends: ${what}`);
  const noteEnd = beginCall(label, call);
  const start = now();
  return {
    end: () => {
      if (time !== undefined) time.spentMilliseconds += now() - start;
      noteEnd();
    },
  };
}

const bytesOf = onceEach((label: string) => toBytes.encode(label));

let guarded = false;

/** Once for each thread; without effect in the main one, where tests alone call modules. */
export function guardThread(module: string): void {
  if (guarded || isMainThread) return;
  guarded = true;
  process.exit = ((code?: number | string | null) => {
    throw new ForbiddenError(`it called process.exit(${code ?? ''})`);
  }) as typeof process.exit;
  process.stdout.write = linesToStderr(module);
  forbidInCalls(Math, 'random', 'Math.random', 'randomness must come from the stream it is given');
  const clock = 'what it gives must not depend on the clock';
  forbidInCalls(performance, 'now', 'performance.now', clock);
  forbidInCalls(Date, 'now', 'Date.now', clock);
  globalThis.Date = new Proxy(Date, {
    construct: (target, given: unknown[], newTarget) => {
      if (given.length === 0) refuseInCalls('new Date()', clock);
      return Reflect.construct(target, given, newTarget) as object;
    },
    apply: (target, self, given) => {
      refuseInCalls('Date()', clock);
      return Reflect.apply(target, self, given) as string;
    },
  });
}

function forbidInCalls<Name extends string>(
  holder: Record<Name, () => number>,
  name: Name,
  shown: string,
  reason: string,
): void {
  const real = holder[name].bind(holder);
  holder[name] = () => {
    refuseInCalls(shown, reason);
    return real();
  };
}

function refuseInCalls(shown: string, reason: string): void {
  if (determined !== null) throw new ForbiddenError(`${determined} uses ${shown}: ${reason}`);
}

/** Lines of a module that a thread tells; a print in every call would bury everything else. */
const LINES_TOLD = 20;

/** What a module prints goes to stderr, line by line: stdout is for results. */
function linesToStderr(module: string): typeof process.stdout.write {
  let told = 0;
  let rest = '';
  const tell = (line: string): void => {
    told++;
    if (told <= LINES_TOLD) process.stderr.write(`${module}: ${line}\n`);
    else if (told === LINES_TOLD + 1) process.stderr.write(`${module}: …, further lines are left out\n`);
  };
  return ((chunk: string | Uint8Array, encoding?: unknown, done?: unknown) => {
    const lines = (rest + (typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())).split('\n');
    rest = lines.pop()!;
    for (const line of lines) tell(line);
    const callback = typeof encoding === 'function' ? encoding : done;
    if (typeof callback === 'function') queueMicrotask(callback as () => void);
    return true;
  }) as typeof process.stdout.write;
}
