import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { loadForestConfig, parseForestConfig } from '../../src/forest/forest-schema.ts';
import { runForest, type ForestOptions } from '../../src/forest/run-forest.ts';
import { writeForest } from '../../src/forest/write-forest.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'forest-'));
  const stream = RandomStream.fromSeed('people');
  const rows = Array.from({ length: 400 }, () => {
    const [smokes, old] = [stream.integerBelow(2), stream.integerBelow(2)];
    return `${smokes ? 'yes' : 'no'},${old ? 'old' : 'young'},${stream.integerBelow(3)},${smokes && old ? 'ill' : 'well'}`;
  });
  writeFileSync(join(folder, 'people.csv'), `smokes,age,region,health\n${rows.join('\n')}\n`);
});
afterAll(() => rmSync(folder, { recursive: true }));

const base = {
  name: 'people',
  seed: 'people',
  trials: 3,
  data: { kind: 'csv', path: 'people.csv', classColumn: 'health' },
  height: 2,
  messagesPerUser: [2, 20],
  privacy: { delta: '0.01/n' },
};
const config = (changes: object = {}) =>
  parseForestConfig(JSON.stringify({ ...base, ...changes }), 'people.yaml');
const run = (out: string, changes: object = {}, options: Partial<ForestOptions> = {}) =>
  runForest(config(changes), join(folder, 'people.yaml'), { out: join(folder, out), workers: 0, ...options });

describe('a forest run', () => {
  it('finds the rule of a table, at the privacy of all its rounds', async () => {
    const result = await run('full', {}, { write: (finished, out) => writeForest(finished, out, true) });
    const [few, many] = result.results;
    expect(result.trainUsers).toBe(320);
    expect(few!.rounds).toBe(3 + 2);
    expect(few!.exactAccuracies).toEqual([1, 1, 1]);
    expect(Math.min(...few!.accuracies)).toBeGreaterThan(0.9);
    expect(many!.epsilon).toBeLessThan(few!.epsilon);
    expect(result.delta).toBe(0.01 / 320);
    const rows = readFileSync(join(folder, 'full/results.csv'), 'utf8').trim().split('\n');
    expect(rows).toHaveLength(3);
    expect(rows[1]).toMatch(/^320,3,2,2,1,5,2,10,3,/u);
    expect(readFileSync(join(folder, 'full/report.html'), 'utf8')).toContain('Accuracy and privacy');
    expect(readFileSync(join(folder, 'full/figures/accuracy.png')).subarray(1, 4).toString()).toBe('PNG');
  });

  it('on the message path, after a cut, is the same again', async () => {
    const whole = await run('whole', { simulation: 'messages' });
    const journal = join(folder, 'whole/journal.jsonl');
    const lines = readFileSync(journal, 'utf8').split('\n');
    truncateSync(journal, lines.slice(0, 2).join('\n').length + 30);
    const resumed = await run('whole', { simulation: 'messages' }, { resume: true });
    expect(resumed.results).toEqual(whole.results);
  });

  it('that is interrupted keeps what it has, and goes on from there', async () => {
    const interruption = new AbortController();
    const interrupted = run(
      'interrupted',
      {},
      {
        signal: interruption.signal,
        // All trials of the first of two numbers of messages.
        onProgress: (done) => void (done === 3 && interruption.abort(new Error('stop'))),
      },
    );
    await expect(interrupted).rejects.toThrow('stop');
    const kept = readFileSync(join(folder, 'interrupted/journal.jsonl'), 'utf8').trim().split('\n');
    expect(kept.length).toBe(1 + 1);
    const resumed = await run('interrupted', {}, { resume: true });
    expect(resumed.results).toEqual((await run('undisturbed', {}, { workers: 1 })).results);
  });

  it('with a target sends the fewest messages that meet it', async () => {
    const data = { kind: 'mixture', users: 2000, attributes: 4 };
    const { results } = await run('target', { data, messagesPerUser: undefined, epsilon: 0.8, trials: 1 });
    expect(results[0]!.epsilon).toBeLessThanOrEqual(0.8);
    const fewer = results[0]!.messagesPerUser - 1;
    const { results: beyond } = await run('beyond', { data, messagesPerUser: fewer, trials: 1 });
    expect(beyond[0]!.epsilon).toBeGreaterThan(0.8);
  });

  it('has configs in this project that are all valid', () => {
    const configs = fileURLToPath(new URL('../../../../configs/forest/', import.meta.url));
    const names = readdirSync(configs);
    expect(names.length).toBeGreaterThan(1);
    for (const name of names)
      expect(loadForestConfig(join(configs, name)).name).toBe(name.replace('.yaml', ''));
  });

  it.each([
    [{ epsilon: 1 }, 'exactly one of messagesPerUser and epsilon must be given'],
    [{ messagesPerUser: 1 }, 'messagesPerUser = 1: must be an integer from 2 to 1000000'],
    [
      { attributeChoice: 'random' },
      'attributeChoice = "random": must be left out, or attributesPerTree given',
    ],
    [
      { data: { kind: 'csv', path: 'a.csv', classColumn: 'a', header: false } },
      'data.header = false: must be true or auto for a class column that is named',
    ],
    [
      { data: { kind: 'mixture', users: 100, attributes: 1 } },
      'height = 2: must be at most the attributes, 1',
    ],
    [{ heigth: 3 }, 'heigth = 3: is not a known field; did you mean height?'],
    [{ privacy: { delta: '0.01/x' } }, 'privacy.delta = "0.01/x": must be a number in (0, 1)'],
  ])('with %j is refused in one line', (changes, reason) => {
    expect(() => config(changes)).toThrow(reason);
  });

  it.each([
    [{ data: { ...base.data, classColumn: 'wealth' } }, 'data.path: ', 'has no column "wealth"'],
    [{ data: { ...base.data, path: 'none.csv' } }, 'data.path: ', 'cannot be read: no such file'],
    [{ privacy: { delta: 'n/2' } }, 'privacy.delta = "n/2": must be ', 'in (0, 1) for n = 320'],
    [{ height: 4 }, 'people.yaml: height = 4', 'must be at most 3, the attributes of the table'],
  ])('that cannot be run with %j is refused', async (changes, where, reason) => {
    await expect(run('refused', changes)).rejects.toThrow(where);
    await expect(run('refused', changes)).rejects.toThrow(reason);
  });
});
