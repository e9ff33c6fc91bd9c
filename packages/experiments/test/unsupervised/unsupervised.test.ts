import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composedEpsilon } from '@shuffle-dp/accounting';
import { RandomStream, sampleGaussian } from '@shuffle-dp/core';
import { drawBlobs } from '../../src/data/blobs.ts';
import { runUnsupervised, type UnsupervisedOptions } from '../../src/unsupervised/run-unsupervised.ts';
import {
  loadUnsupervisedConfig,
  parseUnsupervisedConfig,
} from '../../src/unsupervised/unsupervised-schema.ts';
import { writeUnsupervised } from '../../src/unsupervised/write-unsupervised.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unsupervised-'));
  const stream = RandomStream.fromSeed('people');
  const rows = Array.from({ length: 300 }, (_, user) => {
    const far = user % 20 === 0;
    const place = (at: number): number => (far ? 100 * stream.next() : at + 3 * sampleGaussian(stream));
    return [place(30), place(60), Number(far)].join();
  });
  writeFileSync(join(folder, 'people.csv'), `weight,height,odd\n${rows.join('\n')}\n`);
  writeFileSync(join(folder, 'words.csv'), 'a,b\n1,x\n2,3\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

const base = {
  name: 'people',
  seed: 'people',
  trials: 2,
  data: { kind: 'blobs', users: 1500, dimensions: 2, clusters: 3 },
  method: { kind: 'k-means', clusters: 3, iterations: 4 },
  messagesPerUser: [2, 2000],
  privacy: { delta: '0.01/n' },
};
const csv = { kind: 'csv', path: 'people.csv', low: 0, high: 100, outlierColumn: 'odd' };
const isolation = { kind: 'isolation-forest', trees: 4, height: 4 };
const config = (changes: object = {}) =>
  parseUnsupervisedConfig(JSON.stringify({ ...base, ...changes }), 'people.yaml');
const run = (out: string, changes: object = {}, options: Partial<UnsupervisedOptions> = {}) =>
  runUnsupervised(config(changes), join(folder, 'people.yaml'), {
    out: join(folder, out),
    workers: 0,
    ...options,
  });

describe('a run of unsupervised learning', () => {
  it('finds clusters, at the privacy of all its rounds', async () => {
    const write = async (finished: Awaited<ReturnType<typeof run>>, out: string): Promise<void> =>
      writeUnsupervised(finished, out, true);
    const result = await run('full', {}, { write });
    const [few, many] = result.results;
    expect([result.trainUsers, result.rounds, result.delta]).toEqual([1200, 8, 0.01 / 1200]);
    for (const trial of few!.trials) {
      expect(trial.found).toBeLessThan(trial.nothing / 2);
      expect(trial.exact).toBeLessThanOrEqual(trial.found + 0.002);
    }
    expect(many!.trials[0]!.found).toBeGreaterThan(few!.trials[0]!.found);
    // Eight rounds over 3 x 16 cells, among 1,200 blanket messages.
    const pair = { p: Infinity, beta: 1, q: 48 };
    const { lower, upper } = composedEpsilon([{ pair, users: 1201, count: 8 }], 0.01 / 1200);
    expect(few!.epsilon).toBeGreaterThanOrEqual(lower);
    expect(few!.epsilon).toBeLessThan(1.01 * upper);
    expect(many!.epsilon).toBeLessThan(few!.epsilon / 10);
    const rows = readFileSync(join(folder, 'full/results.csv'), 'utf8').trim().split('\n');
    expect(rows).toHaveLength(3);
    expect(rows[1]).toMatch(/^k-means,1200,2,16,8,2,16,2,/u);
    expect(readFileSync(join(folder, 'full/report.html'), 'utf8')).toContain('What is found, and privacy');
    expect(readFileSync(join(folder, 'full/figures/quality.png')).subarray(1, 4).toString()).toBe('PNG');
  });

  it('finds the outliers of a file, whose column it does not look at', async () => {
    const result = await run('file', { data: csv, method: isolation, messagesPerUser: 2 });
    expect([result.dimensions, result.rounds]).toEqual([2, 16]);
    for (const { found, exact, nothing } of result.results[0]!.trials) {
      expect(exact).toBeGreaterThan(0.8);
      expect(found).toBeGreaterThan(0.7);
      expect(nothing).toBe(0.5);
    }
  });

  it('says how many coordinates of a file are moved to the ends of their range', async () => {
    const notices: string[] = [];
    const options = { onNotice: (line: string) => notices.push(line) };
    const few = { messagesPerUser: 2, trials: 1 };
    await run('inside', { ...few, data: { ...csv, low: -100, high: 200 } }, options);
    expect(notices.join()).not.toContain('outside');
    await run('outside', { ...few, data: { ...csv, high: 50 } }, options);
    expect(notices.join()).toMatch(
      /\d{3} coordinates outside 0 to 50: counted as the nearer end, also in the exact values/u,
    );
  });

  it('on the message path, after a cut, is the same again', async () => {
    const changes = { simulation: 'messages', messagesPerUser: [2, 3] };
    const whole = await run('whole', changes);
    const journal = join(folder, 'whole/journal.jsonl');
    const lines = readFileSync(journal, 'utf8').split('\n');
    truncateSync(journal, lines.slice(0, 2).join('\n').length + 30);
    const resumed = await run('whole', changes, { resume: true });
    expect(resumed.results).toEqual(whole.results);
  });

  it('with a target sends the fewest messages that meet it', async () => {
    const [result] = (await run('target', { messagesPerUser: undefined, epsilon: 1.5, trials: 1 })).results;
    expect(result!.epsilon).toBeLessThanOrEqual(1.5);
    expect(result!.target).toBe(1.5);
    const fewer = await run('fewer', { messagesPerUser: result!.messagesPerUser - 1, trials: 1 });
    expect(fewer.results[0]!.epsilon).toBeGreaterThan(1.5);
  });

  it('has configs in this project that are all valid', () => {
    for (const name of ['k-means', 'isolation-forest']) {
      const file = fileURLToPath(new URL(`../../../../configs/unsupervised/${name}.yaml`, import.meta.url));
      expect(loadUnsupervisedConfig(file).name).toBe(name);
    }
  });

  it.each([
    [{ messagesPerUser: 1 }, 'messagesPerUser = 1'],
    [{ epsilon: 1 }, 'exactly one of messagesPerUser and epsilon must be given'],
    [{ method: { kind: 'dbscan' } }, 'method.kind = "dbscan": must be one of k-means, isolation-forest'],
    [{ method: { ...base.method, trees: 2 } }, 'method.trees = 2: is not a known field'],
    [{ method: isolation }, 'data.outliers = 0: must be above 0'],
    [
      { method: isolation, data: { ...csv, outlierColumn: undefined } },
      'data.outlierColumn is missing: must be given',
    ],
    [{ data: { ...csv, high: 0 } }, 'data.high = 0: must be above low, 0'],
    [
      { data: { ...base.data, users: 10_000_000, dimensions: 1000 } },
      'data.users = 10000000: must be at most',
    ],
  ])('with %j is refused in one line', (changes, message) => {
    expect(() => config(changes)).toThrow(message);
  });

  it.each([
    [{ data: { ...csv, outlierColumn: 'strange' } }, 'data.path: '],
    [{ data: { ...csv, outlierColumn: 'weight' } }, 'is neither 0 nor 1'],
    [{ data: { ...csv, outlierColumn: 7 } }, 'has no column 7'],
    [{ data: { kind: 'csv', path: 'words.csv' } }, '"x" in column 1 is no number'],
    [{ data: { kind: 'csv', path: 'none.csv' } }, 'none.csv: cannot be read'],
    [{ bins: 256, method: { ...base.method, clusters: 1000 } }, 'has 256000 cells, of at most 65535'],
    [{ privacy: { delta: '2*n' } }, 'privacy.delta = "2*n": must be in (0, 1) for n = 1200'],
  ])('that cannot be run with %j is refused before any work', async (changes, message) => {
    await expect(run('refused', changes)).rejects.toThrow(message);
  });
});

describe('blobs', () => {
  it('are round clusters and outliers, more users more of the same', () => {
    const shape = { dimensions: 3, clusters: 2, spread: 0.01, outliers: 0.25 };
    const drawn = drawBlobs(shape, 4000, RandomStream.fromSeed('blobs'));
    const outliers = drawn.marked!.reduce((sum, mark) => sum + mark, 0);
    // Five standard deviations of a binomial count.
    expect(Math.abs(outliers - 1000)).toBeLessThan(5 * Math.sqrt(750));
    const first = drawBlobs(shape, 100, RandomStream.fromSeed('blobs'));
    expect(first.values).toEqual(drawn.values.subarray(0, 300));
    const near = Array.from({ length: 4000 }, (_, user) => user).filter((user) => !drawn.marked![user]);
    const distance = (a: number, b: number): number =>
      Math.hypot(...[0, 1, 2].map((j) => drawn.values[3 * a + j]! - drawn.values[3 * b + j]!));
    // The clusters of this seed are further apart than they are wide.
    const one = near.filter((user) => distance(user, near[0]!) < 0.1);
    const rest = near.filter((user) => distance(user, near[0]!) >= 0.1);
    expect(Math.abs(one.length - rest.length)).toBeLessThan(5 * Math.sqrt(near.length));
    expect(rest.every((user) => distance(user, rest[0]!) < 0.1)).toBe(true);
  });
});
