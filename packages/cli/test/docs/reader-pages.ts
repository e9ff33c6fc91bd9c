/** The pages that readers follow command by command, each in a folder of its own. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { runProgram } from '../../src/main.ts';
import { consoleBlocks, type ConsoleBlock } from './console-blocks.ts';

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

const PAGES = [
  'docs/start-here.md',
  'docs/concepts.md',
  'docs/soundness.md',
  'docs/threats.md',
  'docs/how-to/own-data.md',
  'docs/how-to/choose-a-design.md',
  'docs/how-to/plan-a-deployment.md',
  'docs/how-to/calibrate.md',
  'docs/how-to/certify-a-design.md',
  'docs/how-to/certificates.md',
  'docs/how-to/audit.md',
  'docs/how-to/many-rounds.md',
  'docs/how-to/personal-budgets.md',
  'docs/how-to/many-machines.md',
];

export interface ReaderPage {
  readonly name: string;
  readonly text: string;
  readonly blocks: readonly ConsoleBlock[];
}

export function readPage(name: string): ReaderPage {
  const text = readFileSync(join(ROOT, name), 'utf8');
  return { name, text, blocks: consoleBlocks(text) };
}

export const READER_PAGES: readonly ReaderPage[] = PAGES.map(readPage);

/**
 * A folder that looks like a checkout to configs and examples, and becomes the working one until `leave` is
 * called.
 */
export function enterFolder(): { leave: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'pages-'));
  for (const name of ['configs', 'examples']) symlinkSync(join(ROOT, name), join(folder, name));
  const before = process.cwd();
  process.chdir(folder);
  return {
    leave: () => {
      process.chdir(before);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Flags that make the program run in one thread and draw nothing: what it prints of results does not depend
 * on them.
 */
const QUICKLY: Readonly<Record<string, readonly string[]>> = {
  run: ['--workers', '0'],
  compare: ['--workers', '0', '--no-report'],
  audit: ['--workers', '0'],
  forest: ['--workers', '0'],
  figures: ['--workers', '0'],
  claims: ['--workers', '0'],
};

/** What a command prints, errors included. The program runs in this process. */
export async function printedBy(command: string): Promise<string> {
  const [name, ...words] = command.match(/"[^"]*"|\S+/gu)!.map((word) => word.replaceAll('"', ''));
  if (name !== 'shuffle-dp') return execFileSync('sh', ['-c', command], { encoding: 'utf8' });
  let printed = '';
  const take = (text: unknown): boolean => {
    printed += String(text);
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(take);
  vi.spyOn(process.stderr, 'write').mockImplementation(take);
  try {
    await runProgram([process.execPath, name, ...words, ...(QUICKLY[words[0]!] ?? [])]);
  } finally {
    vi.restoreAllMocks();
  }
  return printed;
}
