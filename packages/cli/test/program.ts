/** The program through its launcher, in a folder of the test's. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const GOLDEN = join(import.meta.dirname, '../../experiments/test/fixtures/golden.yaml');
export const LAUNCHER = join(import.meta.dirname, '../bin/shuffle-dp.mjs');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

export interface Program {
  start(...args: string[]): Started;
  cli(...args: string[]): Promise<Ended>;
  /** With files of at most so many blocks of 512 bytes: what a full disk looks like. */
  cliWithSmallFiles(blocks: number, ...args: string[]): Promise<Ended>;
}

export function programIn(folder: string): Program {
  const start = (command: string, args: readonly string[]): Started => {
    const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    return { child, ended: untilEnd(child) };
  };
  return {
    start: (...args) => start(process.execPath, [LAUNCHER, ...args]),
    cli: (...args) => start(process.execPath, [LAUNCHER, ...args]).ended,
    cliWithSmallFiles: (blocks, ...args) =>
      start('sh', ['-c', `ulimit -f ${blocks}; exec "$@"`, 'sh', process.execPath, LAUNCHER, ...args]).ended,
  };
}

async function untilEnd(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout!.on('data', (part: Buffer) => (stdout += part.toString()));
  child.stderr!.on('data', (part: Buffer) => (stderr += part.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
