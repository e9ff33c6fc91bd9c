// What can break under a run: its threads, its disk, its lock. Finished cells survive, and one line says what
// to do.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/load-config.ts';
import type { ExperimentConfig } from '../../src/config/schema.ts';
import { forEachConcurrently } from '../../src/pool/pool.ts';
import { taskError } from '../../src/pool/task-error.ts';
import { resultsCsv } from '../../src/results/result-tables.ts';
import { DiskError } from '../../src/run-folder/disk-error.ts';
import { Journal, JOURNAL_FILE, readJournal } from '../../src/run-folder/journal.ts';
import { openOutputFolder } from '../../src/run-folder/output-folder.ts';
import { writeFileAtomically } from '../../src/run-folder/write-files.ts';
import { runExperiment } from '../../src/run/run-experiment.ts';
import { beginOf } from '../../src/run-folder/lock/process-begin.ts';
import { LOCK_FILE, lockFolder } from '../../src/run-folder/lock/run-lock.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'shuffle-dp-faults-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const header = { configHash: 'abc', codeVersion: '1', nodeVersion: 'v20', seed: 's', command: '' };

/** As a disk with `space` bytes left: it takes what it can, and then says why it takes no more. */
function smallDisk(space: number) {
  let left = space;
  return (descriptor: number, bytes: Uint8Array): number => {
    if (left === 0)
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    const part = bytes.subarray(0, left);
    writeFileSync(descriptor, part);
    left -= part.length;
    return part.length;
  };
}

describe('a full disk', () => {
  it('leaves the journal at its last whole line, ready for more', () => {
    const file = join(root, JOURNAL_FILE);
    const journal = Journal.create(file, header, smallDisk(200));
    journal.append({ cell: 'a' });
    const whole = readFileSync(file, 'utf8');
    const long = { cell: 'b', text: 'x'.repeat(300) };
    let refusal: unknown;
    try {
      journal.append(long);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(DiskError);
    expect((refusal as DiskError).wantsSpace).toBe(true);
    expect((refusal as DiskError).message).toBe(`${file}: cannot be written: no space is left on the device`);
    expect(readFileSync(file, 'utf8')).toBe(whole);
    journal.close();
    const later = Journal.continue(file, readJournal(file));
    later.append(long);
    later.close();
    expect([...readJournal(file).records.keys()]).toEqual(['a', 'b']);
    expect(() => later.append(long)).toThrow('journal.jsonl: is closed');
  });

  it('that has no room for a header leaves no journal', () => {
    const file = join(root, JOURNAL_FILE);
    expect(() => Journal.create(file, header, smallDisk(10))).toThrow('no space is left on the device');
    expect(readdirSync(root)).toEqual([]);
  });

  it('stops a run in one line that says how to go on', async () => {
    const config = parseConfig(
      readFileSync(join(import.meta.dirname, '../fixtures/golden.yaml'), 'utf8'),
      'golden.yaml',
    );
    const write = (): never => {
      throw new DiskError('out/report.html', { code: 'ENOSPC' });
    };
    await expect(
      runExperiment(config, 'golden.yaml', { out: join(root, 'out'), workers: 0, write }),
    ).rejects.toMatchObject({
      name: 'StoppedError',
      message: `out/report.html: cannot be written: no space is left on the device; finished cells are kept in ${join(root, 'out')}: free some space, then add --resume to the same command, without --force, to go on`,
    });
  });
});

describe('a file that is written whole or not at all', () => {
  it('stays as it was where the new one cannot be written, and leaves nothing beside it', () => {
    // A folder takes no file's place: all is written, and then the renaming fails.
    mkdirSync(join(root, 'results.csv/old'), { recursive: true });
    expect(() => writeFileAtomically(join(root, 'results.csv'), 'new')).toThrow(DiskError);
    writeFileAtomically(join(root, 'summary.json'), 'old');
    expect(() => writeFileAtomically(join(root, 'summary.json/inside'), 'new')).toThrow(
      'summary.json/inside: cannot be written: a part of its path is not a folder',
    );
    expect(readdirSync(root).sort()).toEqual(['results.csv', 'summary.json']);
    expect(readFileSync(join(root, 'summary.json'), 'utf8')).toBe('old');
  });

  it.skipIf(!existsSync('/proc/self/fd'))('is closed where it cannot be written', () => {
    const open = (): number => readdirSync('/proc/self/fd').length;
    const before = open();
    for (let i = 0; i < 8; i++)
      expect(() => writeFileAtomically(join(root, 'summary.json'), 17 as unknown as string)).toThrow(
        DiskError,
      );
    expect(open()).toBe(before);
    expect(readdirSync(root)).toEqual([]);
  });

  it('and whose process was killed meanwhile is swept away, other files are not', async () => {
    writeFileSync(join(root, 'results.csv.tmp-123'), 'half');
    writeFileSync(join(root, 'thesis.txt.tmp-123'), 'precious');
    const journal = Journal.create(join(root, JOURNAL_FILE), header);
    journal.close();
    (await openOutputFolder(root, 'abc', { resume: true, force: false })).release();
    expect(readdirSync(root).sort()).toEqual([JOURNAL_FILE, 'thesis.txt.tmp-123']);
  });
});

describe('a lock', () => {
  const lock = () => join(root, LOCK_FILE);

  it('without content, of a process killed while it wrote it, is taken over in time', async () => {
    writeFileSync(lock(), '');
    const release = await lockFolder(root, 100);
    const begin = beginOf(process.pid);
    expect(JSON.parse(readFileSync(lock(), 'utf8'))).toEqual({ pid: process.pid, host: hostname(), begin });
    release();
    expect(readdirSync(root)).toEqual([]);
  });

  it('of another machine is never taken over: its process cannot be seen', async () => {
    const content = JSON.stringify({ pid: 2 ** 30, host: `not-${hostname()}` });
    writeFileSync(lock(), content);
    await expect(lockFolder(root, 100)).rejects.toThrow(
      new RegExp(`another run is going on here \\(process ${2 ** 30} on not-.*delete ${LOCK_FILE}$`, 'u'),
    );
    expect(readFileSync(lock(), 'utf8')).toBe(content);
  });

  it.skipIf(beginOf(process.pid) === '')(
    'of a process whose number was given out again is taken over',
    async () => {
      const [host, begin] = [hostname(), beginOf(process.pid)];
      writeFileSync(lock(), JSON.stringify({ pid: process.pid, host, begin: `${begin}1` }));
      const release = await lockFolder(root, 100);
      expect(JSON.parse(readFileSync(lock(), 'utf8'))).toEqual({ pid: process.pid, host, begin });
      await expect(lockFolder(root, 100)).rejects.toThrow('another run is going on here');
      release();
    },
  );

  it('that was deleted by hand, and is that of another run by now, stays when the first run ends', async () => {
    const release = await lockFolder(root, 100);
    const other = JSON.stringify({ pid: 2 ** 30, host: `not-${hostname()}`, begin: '' });
    writeFileSync(lock(), other);
    release();
    expect(readFileSync(lock(), 'utf8')).toBe(other);
  });

  it("that cannot be read is somebody else's", async () => {
    mkdirSync(lock());
    await expect(lockFolder(root, 100)).rejects.toThrow(
      'going on here (its lock cannot be read): wait for it',
    );
    expect(readdirSync(root)).toEqual([LOCK_FILE]);
  });

  it('of a process that is gone goes to one of many', async () => {
    writeFileSync(lock(), JSON.stringify({ pid: 2 ** 30, host: hostname() }));
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(root, 100)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1);
  });
});

describe('a worker thread', () => {
  const EXAMPLE = pathToFileURL(
    fileURLToPath(new URL('../../../../examples/own-randomizer/abstaining-response.mjs', import.meta.url)),
  ).href;

  /**
   * A randomizer that breaks at 3000 users for as long as there is a file of the given name. Every thread of
   * a run checks the module, which of a large domain takes fewer messages.
   */
  function breakingConfig(what: string, others = '') {
    const trouble = JSON.stringify(join(root, 'trouble'));
    const module = `
import { existsSync } from 'node:fs';
import make from ${JSON.stringify(EXAMPLE)};
export default (parameters) => {
  const oracle = make(parameters);
  return { ...oracle, sampleSupportCounts(histogram, stream) {
    const users = histogram.reduce((sum, count) => sum + count, 0);
    if (users === 3000 && existsSync(${trouble})) { ${what} }
    return oracle.sampleSupportCounts(histogram, stream);
  } };
};`;
    writeFileSync(join(root, 'breaking.mjs'), module);
    return parseConfig(
      `
name: breaking
seed: a
adjacency: replace-one
trials: 4
data: { kind: categories-zipf, domain: 64 }
users: [1000, 2000, 3000]
privacy: { epsilon: 1, delta: 1e-6 }
protocols: [${others}{ kind: own-randomizer, module: breaking.mjs }]
`,
      join(root, 'breaking.yaml'),
    );
  }

  const run = (config: ExperimentConfig, name: string, resume = false) =>
    runExperiment(config, join(root, 'breaking.yaml'), { out: join(root, name), workers: 1, resume });

  it('that ends costs no finished cell', async () => {
    // What a crash of the engine looks like; a module cannot call process.exit.
    const config = breakingConfig('process.reallyExit(7);');
    const whole = await run(config, 'whole');
    writeFileSync(join(root, 'trouble'), '');
    const out = join(root, 'out');
    await expect(run(config, 'out')).rejects.toMatchObject({
      name: 'StoppedError',
      message: `a worker thread ended with exit code 7; finished cells are kept in ${out}: add --resume to the same command, without --force, to go on`,
    });
    const { records } = readJournal(join(out, JOURNAL_FILE));
    expect([...records.keys()]).toEqual(whole.cells.slice(0, 2).map(({ cell }) => cell));
    expect(readdirSync(out)).not.toContain('results.csv');
    rmSync(join(root, 'trouble'));
    expect(resultsCsv(await run(config, 'out', true))).toBe(resultsCsv(whole));
  });

  it('that refuses a later protocol in its trials names that one', async () => {
    const config = breakingConfig(
      'return new Float64Array(histogram.length).fill(Infinity);',
      '{ kind: frequency, randomizer: grr, accounting: blanket }, ',
    );
    writeFileSync(join(root, 'trouble'), '');
    await expect(run(config, 'out')).rejects.toThrow(
      /breaking\.yaml: protocols\[1\] \(own-randomizer\) at 3000 users/u,
    );
  });

  it('that throws is told in one line, with the place', async () => {
    const config = breakingConfig('undefined.users;');
    writeFileSync(join(root, 'trouble'), '');
    await expect(run(config, 'out')).rejects.toThrow(
      /^a task failed: TypeError: Cannot read .* \(breaking\.mjs:8\); finished cells are kept in .*out: add --resume/u,
    );
    expect(readJournal(join(root, 'out', JOURNAL_FILE)).records.size).toBe(2);
  });

  it('out of memory is told as such', () => {
    const error = Object.assign(new Error('Worker terminated'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
    expect(taskError(error).message).toBe('a worker thread ran out of memory');
  });

  it('whose task fails ends the others: nothing more is begun', async () => {
    const begun: number[] = [];
    const entries = Array.from({ length: 20 }, (_, i) => i);
    const work = async (entry: number): Promise<void> => {
      begun.push(entry);
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (entry === 2) throw new Error('broken');
    };
    await expect(forEachConcurrently(entries, 2, new AbortController().signal, work)).rejects.toThrow(
      'broken',
    );
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(begun.length).toBeLessThanOrEqual(4);
  });
});
