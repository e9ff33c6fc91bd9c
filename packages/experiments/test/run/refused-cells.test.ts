// What becomes of a protocol that cannot be made at equal certified privacy: it is listed, and the others are
// run.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/load-config.ts';
import { writeResults } from '../../src/report/write-run.ts';
import { comparedByNobody, compareCells } from '../../src/results/comparison.ts';
import type { RunResult } from '../../src/results/run-result.ts';
import { JOURNAL_FILE } from '../../src/run-folder/journal.ts';
import { dryRun } from '../../src/run/dry-run/dry-run.ts';
import { mergeRuns } from '../../src/run/merge-runs.ts';
import { runExperiment, runShard } from '../../src/run/run-experiment.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-refused-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const FILE = 'refused.yaml';
const given = {
  name: 'refused',
  seed: 'refused',
  adjacency: 'replace-one',
  trials: 2,
  users: 500,
  data: { kind: 'categories-zipf', domain: 8, exponent: 1 },
  // The second takes 1e12 blankets and more, which nobody sends.
  privacy: { epsilon: [1, 1e-7], delta: 1e-8, accounting: 'certified' },
  protocols: [{ kind: 'pure-dump' }, { kind: 'frequency', randomizer: 'grr' }],
};
const parsed = (changes: object = {}) => parseConfig(JSON.stringify({ ...given, ...changes }), FILE);
const at = (name: string): string => join(root, name);
const command = 'shuffle-dp run refused.yaml';
const write = (run: RunResult, out: string): Promise<void> =>
  writeResults(run, out, { keepTrials: false, report: basename(out) === 'listed' });
const run = (name: string, changes: object = {}, resume = false): Promise<RunResult> =>
  runExperiment(parsed(changes), FILE, { out: at(name), workers: 0, command, resume, write });

const WHY = 'epsilon = 1e-7: must be larger: it would take over 1000000000000 blanket messages';

function bytesOf(name: string): Record<string, string> {
  const files = readdirSync(at(name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== JOURNAL_FILE && entry.name !== 'timings.csv')
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    files.map((file) => [file.slice(at(name).length), readFileSync(file).toString('latin1')]),
  );
}

describe('a protocol that cannot be made', () => {
  it('is listed with the reason in its comparison, and the others are ranked', async () => {
    const result = await run('listed');
    expect(result.cells).toHaveLength(3);
    expect(result.refused).toEqual([
      expect.objectContaining({ protocol: 'pureDUMP', kind: 'pure-dump', users: 500, series: 0, why: WHY }),
    ]);
    const groups = compareCells(result);
    expect(groups.map(({ cells, excluded }) => [cells.length, excluded.map(({ why }) => why)])).toEqual([
      [2, []],
      [1, [WHY]],
    ]);
    expect(comparedByNobody(result)).toEqual([]);
    const summary = JSON.parse(readFileSync(join(at('listed'), 'summary.json'), 'utf8')) as {
      refused: { why: string }[];
    };
    expect(summary.refused.map(({ why }) => why)).toEqual([WHY]);
    expect(readFileSync(join(at('listed'), 'report.html'), 'utf8')).toContain(`not ranked: ${WHY}`);
    expect(readFileSync(join(at('listed'), JOURNAL_FILE), 'utf8')).toContain(JSON.stringify(WHY));
  });

  it('is listed where nothing else is at its target', async () => {
    const result = await run('alone', { protocols: [{ kind: 'pure-dump', label: 'mine' }] });
    expect(compareCells(result)).toHaveLength(1);
    expect(comparedByNobody(result).map(({ cell, why }) => [cell.protocol, why])).toEqual([['mine', WHY]]);
  });

  it('leaves the same bytes in a run that is resumed, and in shards that are merged', async () => {
    await run('whole');
    const journal = readFileSync(join(at('whole'), JOURNAL_FILE), 'utf8').split('\n');
    // What was refused is on the disk before any trial ends.
    expect(journal[1]).toContain('"refused"');
    for (const kept of [1, 2, 3]) {
      const name = `resumed after ${kept}`;
      mkdirSync(at(name));
      writeFileSync(join(at(name), JOURNAL_FILE), `${journal.slice(0, kept).join('\n')}\n`);
      // One after the other: they share a core.
      // oxlint-disable-next-line no-await-in-loop
      await run(name, {}, true);
      expect(bytesOf(name)).toEqual(bytesOf('whole'));
    }
    // Of four shards of four cells one has nothing but what is refused.
    const folders = [1, 2, 3, 4].map((index) => at(`shard-${index}`));
    for (const [i, out] of folders.entries())
      // oxlint-disable-next-line no-await-in-loop
      await runShard(parsed(), FILE, { out, shard: { index: i + 1, count: 4 }, workers: 0, command });
    await mergeRuns(folders, { out: at('merged'), write });
    expect(bytesOf('merged')).toEqual(bytesOf('whole'));
  });

  it('is shown by a dry run', async () => {
    const { cells, refused } = await dryRun(parsed(), FILE, { workers: 1 });
    expect(cells).toHaveLength(3);
    expect(refused.map(({ why }) => why)).toEqual([WHY]);
  });

  it('is listed where nothing is proved of it under threats', async () => {
    const { cells, refused } = await run('threatened', {
      data: { kind: 'sets-zipf', domain: 9, items: 2, exponent: 1 },
      users: 200,
      privacy: { levels: [0.5, 1], shares: [0.5, 0.5], delta: 1e-4, accounting: 'certified' },
      threats: [{}, { colluding: 0.1 }],
      protocols: [{ kind: 'subexp-local' }, { kind: 'sep-mm' }],
    });
    expect(cells).toHaveLength(3);
    expect(refused!.map(({ kind, sweep, why }) => [kind, sweep['colluding'], why])).toEqual([
      [
        'sep-mm',
        0.1,
        'threats = {"colluding":0.1}: must be left out: no privacy is proved here for SepMM where users collude or stay away',
      ],
    ]);
  });
});

describe('a run is stopped', () => {
  const epsilon = [1e-7, 1e-8];
  const { privacy } = given;
  const badSize = { kind: 'frequency', randomizer: 'subset', subsetSize: 9 };
  it.each([
    [
      'where no cell can be made',
      { protocols: [{ kind: 'pure-dump' }], privacy: { ...privacy, epsilon } },
      WHY,
    ],
    ['at published accounting', { privacy: { ...privacy, accounting: ['published', 'certified'] } }, WHY],
    ['by a mistake in the config', { protocols: [...given.protocols, badSize] }, 'subsetSize = 9'],
  ])('%s', async (name, changes, message) => {
    const refusal = (stopped: Promise<unknown>) =>
      stopped.then(
        () => '',
        (error: Error) => error.message,
      );
    const ofRun = await refusal(run(name, changes));
    expect(ofRun).toMatch(/^refused\.yaml: protocols\[\d\] \([a-z-]+\) at \d+ users: /u);
    expect(ofRun).toContain(message);
    expect(existsSync(at(name))).toBe(false);
    // A dry run says the same.
    expect(await refusal(dryRun(parsed(changes), FILE, { workers: 1 }))).toBe(ofRun);
  });
});
