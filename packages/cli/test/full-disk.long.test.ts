// A run of the real program whose disk is full: what is finished is kept, and the run goes on when there is space.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readJournal } from '../../experiments/src/run-folder/journal.ts';
import { GOLDEN, programIn } from './program.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-full-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const { cli, cliWithSmallFiles } = programIn(root);

const KEPT = 'finished cells are kept in';
const journalOf = (out: string): string => join(root, out, 'journal.jsonl');
const linesOf = (out: string): string[] => readFileSync(journalOf(out), 'utf8').split('\n').slice(0, -1);
const bytesOf = (out: string, file: string): string => readFileSync(join(root, out, file), 'latin1');

describe('a run', () => {
  it.skipIf(process.platform === 'win32')(
    'on a full disk says so, and goes on when there is space',
    async () => {
      const golden = ['run', GOLDEN, '--workers', '0', '--quiet', '--no-report', '--out'];
      const [whole, half] = await Promise.all([
        cli(...golden, 'ample'),
        cliWithSmallFiles(40, ...golden, 'full'),
      ]);
      expect(whole.code).toBe(0);
      expect(half).toEqual({
        code: 1,
        stdout: '',
        stderr: `full/journal.jsonl: cannot be written: a file may not grow that large; ${KEPT} full: free some space, then add --resume to the same command to go on\n`,
      });
      const kept = readJournal(journalOf('full'));
      expect(kept.records.size).toBeGreaterThan(0);
      expect(kept.wholeBytes).toBe(readFileSync(journalOf('full')).length);
      expect((await cli(...golden, 'full', '--resume')).code).toBe(0);
      expect(bytesOf('full', 'results.csv')).toBe(bytesOf('ample', 'results.csv'));
      expect(linesOf('full').length).toBe(1 + 10);
    },
  );
});
