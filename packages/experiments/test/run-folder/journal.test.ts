import {
  mkdirSync,
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CellRecord } from '../../src/run/cell-record.ts';
import { Journal, readJournal } from '../../src/run-folder/journal.ts';
import { canonicalHash, canonicalJson } from '../../src/run-folder/canonical-json.ts';
import { LOCK_FILE, lockFolder } from '../../src/run-folder/lock/run-lock.ts';
import { openOutputFolder } from '../../src/run-folder/output-folder.ts';
import { NO_SEAL, sealLine } from '../../src/run-folder/sealed-line.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shuffle-dp-journal-'));
  file = join(folder, 'journal.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const header = {
  configHash: 'abc',
  codeVersion: '1',
  nodeVersion: 'v20',
  seed: 's',
  command: 'shuffle-dp run x',
};

function record(cell: string): CellRecord {
  return {
    cell,
    description: {
      name: 'x',
      description: 'y',
      parameters: { rate: Infinity },
      theoreticalBound: null,
      messagesPerUser: 1,
      bitsPerUser: 2,
      certified: [],
      stated: [],
    },
    squaredErrors: [0.1, 1e-300, 2 / 3],
    populationErrors: null,
    expectedErrors: [-0, 5e-324],
    biasMaxAbs: 0.1 + 0.2,
    seconds: 1,
  };
}

describe('the journal', () => {
  it('gives back what was written, bit by bit', () => {
    const journal = Journal.create(file, header);
    journal.append(record('a'));
    journal.append(record('b'));
    journal.close();
    const { header: read, records } = readJournal(file);
    expect(read).toMatchObject(header);
    expect([...records.keys()]).toEqual(['a', 'b']);
    expect(records.get('a')).toMatchObject({ ...record('a'), expectedErrors: [0, 5e-324] });
  });

  it('drops a torn last line and goes on after the last whole one', () => {
    const journal = Journal.create(file, header);
    journal.append(record('a'));
    journal.close();
    const whole = readFileSync(file, 'utf8');
    appendFileSync(file, '{"type":"cell","cell":"b","squaredErr');
    const torn = readJournal(file);
    expect([...torn.records.keys()]).toEqual(['a']);
    const resumed = Journal.continue(file, torn);
    resumed.append(record('c'));
    resumed.close();
    expect(readFileSync(file, 'utf8').startsWith(`${whole}{"type":"cell","cell":"c"`)).toBe(true);
    expect([...readJournal(file).records.keys()]).toEqual(['a', 'c']);
  });

  const written = (...cells: string[]): string[] => {
    const journal = Journal.create(file, header);
    for (const cell of cells) journal.append(record(cell));
    journal.close();
    return readFileSync(file, 'utf8').split('\n').slice(0, -1);
  };
  const rewritten = (lines: readonly string[]): (() => unknown) => {
    writeFileSync(file, `${lines.join('\n')}\n`);
    return () => readJournal(file);
  };

  it('takes several records at once, as one after the other, and keeps the whole ones wherever it is torn', () => {
    const single = written('a', 'b', 'c');
    rmSync(file);
    const journal = Journal.create(file, header);
    journal.append(record('a'), record('b'), record('c'));
    journal.close();
    const bytes = readFileSync(file);
    expect(bytes.toString('utf8').split('\n').slice(0, -1)).toEqual(single);
    const ends = [...bytes.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at + 1] : []));
    for (let length = ends[0]!; length <= bytes.length; length += 7) {
      writeFileSync(file, bytes.subarray(0, length));
      const whole = ends.filter((end) => end <= length).length - 1;
      expect([...readJournal(file).records.keys()]).toEqual(['a', 'b', 'c'].slice(0, whole));
    }
  });

  it('refuses a change of every byte of a line that leaves it whole, with the line', () => {
    written('a', 'b');
    const bytes = readFileSync(file);
    const stops = [...bytes.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at] : []));
    const flips = [1, 0x10, 0x80];
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= flips[at % flips.length]!;
      writeFileSync(file, changed);
      const line = 1 + stops.filter((stop) => stop < at).length;
      // The end of the last line is what a torn line lacks: that one is dropped.
      if (at === bytes.length - 1) expect(readJournal(file).records.size).toBe(1);
      else expect(() => readJournal(file)).toThrow(`journal.jsonl: line ${line}: is damaged`);
    }
  });

  it('refuses lines that are swapped, doubled, gone or from another journal', () => {
    const [first, a, b, c] = written('a', 'b', 'c') as [string, string, string, string];
    expect(rewritten([first, a, b, c])).not.toThrow();
    expect(rewritten([first, b, a, c])).toThrow('line 2: is damaged, or a line before it is gone');
    expect(rewritten([first, a, a, b, c])).toThrow('line 3: is damaged');
    expect(rewritten([first, a, c])).toThrow('line 3: is damaged');
    expect(rewritten([a, b, c])).toThrow('line 1: is damaged, or not the header of a run');
    rmSync(file);
    const [, other] = written('d') as [string, string];
    expect(rewritten([first, a, other])).toThrow('line 3: is damaged');
  });

  it('goes on before damage when that is cut off, as it says', () => {
    const [first, a, b, c] = written('a', 'b', 'c') as [string, string, string, string];
    const lines = [first, a, b.replace('"messagesPerUser":1', '"messagesPerUser":2'), c];
    expect(rewritten(lines)).toThrow(
      'line 3: is damaged, or a line before it is gone; delete it and all lines after it to go on from there with --resume, or start again with --force, or in another folder',
    );
    rewritten([first, a]);
    const journal = Journal.continue(file, readJournal(file));
    journal.append(record('b'));
    journal.close();
    expect([...readJournal(file).records.keys()]).toEqual(['a', 'b']);
  });

  it('of before there were seals is refused as such, and other files as no journal', () => {
    const old = `${JSON.stringify({ type: 'run', format: 1, ...header })}\n`;
    writeFileSync(file, old);
    expect(() => readJournal(file)).toThrow(
      'was written by an earlier version of the program, which did not seal its lines; resume it with that version, or start again',
    );
    for (const text of ['{"type":"other"}\n', '\n', '\n\n', 'a,b\n', '{}\n']) {
      writeFileSync(file, text);
      expect(() => readJournal(file)).toThrow('line 1: is damaged, or not the header of a run');
    }
  });
});

it('that cannot be read is refused by its name', () => {
  mkdirSync(file);
  expect(() => readJournal(file)).toThrow(`${file}: cannot be read: it is a folder`);
});

it.skipIf(process.platform === 'win32')('that leads to a device is not read, as it may have no end', () => {
  symlinkSync('/dev/null', file);
  expect(() => readJournal(file)).toThrow(`${file}: cannot be read: it is no plain file`);
});

it.skipIf(process.platform === 'win32')('that is a link to nothing is refused as one', () => {
  symlinkSync('nowhere', file);
  expect(() => readJournal(file)).toThrow(`${file}: cannot be read: it is a link to nothing; start again`);
});

it('of another format is refused, whole as it may be', () => {
  for (const change of [{ format: 3 }, { type: 'runs' }]) {
    const line = JSON.stringify({ type: 'run', format: 2, ...header, ...change });
    writeFileSync(file, `${sealLine(line, NO_SEAL).text}\n`);
    expect(() => readJournal(file)).toThrow('was written by another version of the program; start again');
  }
  writeFileSync(file, `${sealLine(JSON.stringify({ type: 'run', format: 2, ...header }), NO_SEAL).text}\n`);
  expect(readJournal(file).header).toEqual(header);
});

describe('identities', () => {
  it('do not depend on the order of fields, and tell values apart', () => {
    expect(canonicalJson({ b: [1, { d: 2, c: undefined }], a: Infinity })).toBe(
      '{"a":"Infinity","b":[1,{"d":2}]}',
    );
    expect(canonicalHash({ a: 1, b: 2 })).toBe(canonicalHash({ b: 2, a: 1 }));
    expect(canonicalHash({ a: 1 })).not.toBe(canonicalHash({ a: '1' }));
  });
});

describe('the output folder', () => {
  const open = (options: { resume?: boolean; force?: boolean } = {}, hash = 'abc') =>
    openOutputFolder(folder, hash, { resume: false, force: false, ...options });

  it('is taken when empty, and locked', async () => {
    const taken = await open();
    expect(taken.earlier).toBeNull();
    await expect(lockFolder(folder, 100)).rejects.toThrow('another run is going on here');
    taken.release();
    (await open()).release();
  });

  it('takes over the lock of a process that is gone', async () => {
    // Process ids end far below this one.
    writeFileSync(
      join(folder, LOCK_FILE),
      JSON.stringify({ pid: 2 ** 30, host: (await import('node:os')).hostname() }),
    );
    const taken = await open();
    expect(JSON.parse(readFileSync(join(folder, LOCK_FILE), 'utf8'))).toMatchObject({ pid: process.pid });
    taken.release();
  });

  it('with a run is refused, resumed or replaced, as asked', async () => {
    const journal = Journal.create(file, header);
    journal.append(record('a'));
    journal.close();
    await expect(open()).rejects.toThrow('holds a run of this config already: continue it with --resume');
    await expect(open({}, 'other')).rejects.toThrow('holds another run');
    await expect(open({ resume: true }, 'other')).rejects.toThrow('holds another run');
    expect(readFileSync(file, 'utf8')).toContain('"cell":"a"');
    const resumed = await open({ resume: true });
    expect([...resumed.earlier!.records.keys()]).toEqual(['a']);
    resumed.release();
    const replaced = await open({ force: true });
    expect(replaced.earlier).toBeNull();
    expect(() => readFileSync(file)).toThrow('ENOENT');
    replaced.release();
  });

  it('with a run that was killed as it wrote its first line says so, and begins it anew where it is asked to', async () => {
    writeFileSync(file, '{"type":"run","for');
    await expect(open()).rejects.toThrow(
      `${folder}: holds a run that was killed before it began: begin it with --resume, or replace it with --force`,
    );
    expect(readFileSync(file, 'utf8')).toBe('{"type":"run","for');
    const begun = await open({ resume: true });
    expect(begun.earlier).toBeNull();
    begun.release();
  });

  it('with anything else is refused, with --force too: its figures may be those of a thesis', async () => {
    mkdirSync(join(folder, 'figures'));
    writeFileSync(join(folder, 'figures/thesis.svg'), 'precious');
    await expect(open()).rejects.toThrow('is not empty and holds no run');
    await expect(open({ resume: true })).rejects.toThrow('is not empty and holds no run');
    await expect(open({ force: true })).rejects.toThrow('is not empty and holds no run');
    expect(readFileSync(join(folder, 'figures/thesis.svg'), 'utf8')).toBe('precious');
  });

  it('that is a file, or below one, is refused in one line', async () => {
    const blocked = join(folder, 'file');
    writeFileSync(blocked, '');
    const none = { resume: false, force: false };
    await expect(openOutputFolder(blocked, 'x', none)).rejects.toThrow(
      /file: cannot be written: it is not a folder$/u,
    );
    await expect(openOutputFolder(join(blocked, 'x'), 'x', none)).rejects.toThrow(
      /cannot be written: a part of its path is not a folder$/u,
    );
  });

  it.runIf(process.platform === 'linux')('below one that takes no entries is refused, and soon', async () => {
    await expect(openOutputFolder('/proc/none/x', 'x', { resume: false, force: false })).rejects.toThrow(
      /^\/proc\/none\/x: cannot be written: /u,
    );
  });
});
