// @module-tag long
// A run of the real program whose disk is full: what is finished is kept, and the run goes on when there is
// space.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CHECKPOINTS } from '../../experiments/src/run-folder/checkpoints.ts';
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
  // The lines of the five cells of one data set are written at once: whole, or not at all and then their
  // trials stand beside the journal.
  it.skipIf(process.platform === 'win32').each([
    { blocks: 40, cells: 0, begun: 5 },
    { blocks: 50, cells: 5, begun: 5 },
  ])(
    'on a full disk says so, and goes on when there is space: in $blocks blocks',
    async ({ blocks, cells, begun }) => {
      const golden = ['run', GOLDEN, '--workers', '0', '--quiet', '--no-report', '--out'];
      const [ample, full] = [`ample ${blocks}`, `full ${blocks}`];
      const [whole, half] = await Promise.all([
        cli(...golden, ample),
        cliWithSmallFiles(blocks, ...golden, full),
      ]);
      expect(whole.code).toBe(0);
      expect(half).toEqual({
        code: 1,
        stdout: '',
        stderr: `${full}/journal.jsonl: cannot be written: a file may not grow that large; ${KEPT} ${full}: free some space, then add --resume to the same command, without --force, to go on\n`,
      });
      const kept = readJournal(journalOf(full));
      expect(kept.records.size).toBe(cells);
      expect(kept.wholeBytes).toBe(readFileSync(journalOf(full)).length);
      const checkpoints = readdirSync(join(root, full, CHECKPOINTS));
      expect(checkpoints.filter((file) => /^[\da-f]{16}\.json$/u.test(file)).length).toBe(begun);
      expect((await cli(...golden, full, '--resume')).code).toBe(0);
      expect(bytesOf(full, 'results.csv')).toBe(bytesOf(ample, 'results.csv'));
      expect(linesOf(full).length).toBe(1 + 10);
    },
  );
});
