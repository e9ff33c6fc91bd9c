/** The program in this process, where what is tested needs none of its own: it takes a second to start. */
import { vi } from 'vitest';
import { runProgram } from '../src/main.ts';
import type { Ended } from './program.ts';

export async function inside(...args: string[]): Promise<Ended> {
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += String(text);
      return true;
    });
  try {
    const code = await runProgram(['node', 'shuffle-dp', ...args]);
    return { code, ...printed };
  } finally {
    vi.restoreAllMocks();
  }
}

/** @param folder the working one meanwhile */
export async function cliInside(folder: string, ...args: string[]): Promise<Ended> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await inside(...args);
  } finally {
    process.chdir(before);
  }
}
