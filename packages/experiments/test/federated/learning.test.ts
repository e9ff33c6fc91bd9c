import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gatheredRounds } from '../../src/federated/training-rounds.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeMechanisms } from '../../src/account/compose-account.ts';
import { loadLearningConfig, parseLearningConfig } from '../../src/federated/learning-schema.ts';
import { runLearning, type LearningOptions, type LearningRun } from '../../src/federated/run-learning.ts';
import { learningResultsCsv, roundsCsv } from '../../src/federated/learning-tables.ts';
import { checkpointsIn } from '../../src/run-folder/checkpoints.ts';
import { writeLearning } from '../../src/federated/write-learning.ts';
import { writeImages } from './digit-images.ts';

let folder: string;
/** The run without any changes, in the folder `whole`. */
let whole: LearningRun;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'learning-'));
  writeImages(folder, 'train', 600);
  writeImages(folder, 't10k', 200);
  whole = await run('whole', { write: (finished, out) => writeLearning(finished, out, true) });
});
afterAll(() => rmSync(folder, { recursive: true }));

const base = {
  name: 'tiny',
  seed: 'tiny',
  trials: 2,
  data: { kind: 'idx', folder: '.' },
  users: 200,
  rounds: 4,
  usersPerRound: 100,
  learningRate: 2,
  clipBound: 0.5,
  budgets: 'uniform(1, 4)',
  privacy: { delta: 1e-8, userDelta: 1e-5 },
  frameworks: [{ kind: 'non-private' }, { kind: 'apes' }, { kind: 's-apes', keptShare: 0.5, label: 'half' }],
};
const config = (changes: object = {}) =>
  parseLearningConfig(JSON.stringify({ ...base, ...changes }), 'tiny.yaml');
const run = (out: string, options: Partial<LearningOptions> = {}, changes: object = {}) =>
  runLearning(config(changes), join(folder, 'tiny.yaml'), { out: join(folder, out), workers: 0, ...options });

describe('a learning run', () => {
  it('learns, and writes its tables, summary, figure and report', () => {
    expect(whole.examplesPerUser).toBe(3);
    expect(whole.dimensions).toBe(100);
    const rows = readFileSync(join(folder, 'whole/results.csv'), 'utf8').trim().split('\n');
    expect(rows).toHaveLength(4);
    expect(rows[3]).toMatch(/^half,s-apes,"uniform\(1, 4\)",200,100,4,2,unit,0\.5,0\.5,largest,2,/u);
    expect(whole.frameworks[0]!.accuracies[0]!.at(-1)).toBeGreaterThan(0.9);
    expect(whole.frameworks[1]!.accuracies[0]!.at(-1)).toBeGreaterThan(0.3);
    expect(readFileSync(join(folder, 'whole/report.html'), 'utf8')).toContain(
      'The most accurate private framework is',
    );
    // No accuracy without what it costs in privacy.
    const summary = JSON.parse(readFileSync(join(folder, 'whole/summary.json'), 'utf8')) as {
      frameworks: { privacy: { note: string } }[];
    };
    expect(summary.frameworks[1]!.privacy.note).toContain('give budgetLevels');
    expect(whole.frameworks[1]!.privacy.dimension).toBeNull();
    expect(readFileSync(join(folder, 'whole/figures/accuracy.png')).subarray(1, 4).toString()).toBe('PNG');
    // Rounds are whole numbers, and so are the ticks of a few.
    const chart = readFileSync(join(folder, 'whole/figures/accuracy.vl.json'), 'utf8');
    expect(chart.replaceAll(/\s/gu, '')).toContain(
      `"values":[${whole.config.rounds === 2 ? '1,2' : '1,2,3'}`,
    );
  });

  it('gives the same bytes in worker threads, and after it was cut short', async () => {
    const threaded = await run('threads', { workers: 2 });
    expect(roundsCsv(threaded)).toBe(roundsCsv(whole));
    const journal = join(folder, 'cut/journal.jsonl');
    mkdirSync(join(folder, 'cut'));
    copyFileSync(join(folder, 'whole/journal.jsonl'), journal);
    const lines = readFileSync(journal, 'utf8').split('\n');
    truncateSync(journal, lines.slice(0, 3).join('\n').length + 20);
    const resumed = await run('cut', { resume: true });
    expect(learningResultsCsv(resumed)).toBe(learningResultsCsv(whole));
  });

  it('goes on from where a training was, rather than from its beginning', async () => {
    mkdirSync(join(folder, 'begun'));
    const [header] = readFileSync(join(folder, 'whole/journal.jsonl'), 'utf8').split('\n');
    writeFileSync(join(folder, 'begun/journal.jsonl'), `${header}\n`);
    const { codeVersion } = JSON.parse(header!) as { codeVersion: string };
    // Three rounds that no training has, and the last one.
    const marks = [0.01, 0.02, 0.03];
    checkpointsIn(join(folder, 'begun'), codeVersion).write('framework 0, trial 1', {
      weights: new Float64Array(100),
      accuracies: Float64Array.from(marks),
      seconds: 1,
    });
    const { frameworks } = await run('begun', { resume: true });
    expect([...frameworks[0]!.accuracies[1]!].slice(0, 3)).toEqual(marks);
  });

  it('says what a dimension and a user give away, certified only where it is proved', async () => {
    const { frameworks } = await run(
      'private',
      {},
      {
        budgetLevels: 1,
        trials: 1,
        frameworks: [{ kind: 'non-private' }, { kind: 'apes' }, { kind: 's-apes', keptShare: 0.5 }],
      },
    );
    const [free, apes, sparse] = frameworks.map(({ privacy }) => privacy);
    expect(free!.local).toBeNull();
    expect(apes!.local!.upper).toBeLessThan(4);
    expect(apes!.dimension!.lower).toBeGreaterThan(0);
    expect(apes!.dimension!.upper).toBeLessThanOrEqual(apes!.local!.upper);
    // 100 dimensions, each in two rounds: more than one, less than the sum.
    expect(apes!.user).toBeGreaterThan(apes!.dimension!.upper);
    expect(apes!.user).toBeLessThanOrEqual(200 * apes!.local!.upper);
    expect(sparse!.dimension).toBeNull();
    expect(sparse!.published).toBe(apes!.published);
  });

  it('states Proposition 1 at a delta at which it says something, and names that', async () => {
    const claims = async (privacy: object, out: string) => {
      const changes = { privacy, trials: 1, rounds: 1, budgets: 'constant(1.0004)' };
      const frameworks = [{ kind: 'apes' }, { kind: 's-apes', keptShare: 0.2 }];
      const options = { write: (done: LearningRun, folder: string) => writeLearning(done, folder, true) };
      const done = await run(out, options, { ...changes, frameworks });
      return {
        of: done.frameworks.map(({ privacy: claimed }) => claimed),
        csv: learningResultsCsv(done),
        page: readFileSync(join(folder, out, 'report.html'), 'utf8'),
      };
    };
    // 100 dimensions use up a user's delta of 1e-6, 40 of them half of it.
    const moved = await claims({ delta: 1e-8 + 1e-10, userDelta: 1e-6 }, 'moved');
    expect(moved.of.map(({ publishedUserDelta }) => publishedUserDelta)).toEqual([
      101 * (1e-8 + 1e-10),
      1e-6,
    ]);
    expect(moved.of[0]!.publishedUser).toBeLessThan(Infinity);
    expect(moved.csv).toContain('epsilon_user_published,delta_user_published,published_sound');
    expect(moved.page).toContain(' at delta = 0.0000010201 (unproven)');
    expect(moved.page).toContain('Proposition 1 says nothing at a delta that is no larger');
    // Budgets of 1.0004: their upper end is not shown below itself.
    expect(moved.page).toContain('1 to 1.01');
    // Equal budgets: proved of APES, and of no message whose dimension depends on the gradient.
    expect(moved.of.map(({ publishedSound }) => publishedSound)).toEqual([true, 'unproven']);
    const asked = await claims({ delta: 1e-8, userDelta: 1e-5 }, 'asked');
    expect(asked.of.map(({ publishedUserDelta }) => publishedUserDelta)).toEqual([1e-5, 1e-5]);
    expect(asked.page).not.toContain('Proposition 1 says nothing');
    const none = await claims({ delta: 1e-2, userDelta: 0.5 }, 'none');
    expect(none.of[0]!.publishedUser).toBeNull();
    expect(none.of[1]!.publishedUserDelta).toBe(0.5);
  });

  it(
    'certifies a training by sampled bits as the composition of its messages',
    { tags: 'long' },
    async () => {
      const frameworks = [1, 3].map((levels) => ({
        kind: 'vector-rr',
        messageBudget: 4,
        levels,
        label: `${levels}`,
      }));
      const bits = await run('bits', {}, { trials: 1, frameworks });
      const [one, three] = bits.frameworks.map(({ privacy }) => privacy);
      expect(one!.local).toEqual({ lower: 4, upper: 4 });
      // One level: four bits, each flipped with probability 1 / (e + 1), among 100 users in two rounds.
      const message = {
        mechanism: 'vector-rr',
        parameters: { bits: 4, keepProbability: Math.E / (Math.E + 1) },
      };
      const account = composeMechanisms([{ ...message, users: 100, rounds: 2 }], { delta: 1e-5 });
      expect(one!.user!).toBeGreaterThan(0.98 * account.bracket.upper);
      expect(one!.user!).toBeLessThan(1.02 * account.bracket.upper);
      for (const privacy of [one!, three!]) {
        expect(privacy.dimension!.lower).toBeGreaterThan(0);
        expect(privacy.dimension!.lower).toBeLessThan(privacy.dimension!.upper);
        expect(privacy.user).toBeLessThanOrEqual(8);
      }
      expect(three!.note).toBe('of the whole gradient: 4 bits of 100 in 3 messages a round, in 2 rounds');
      const rows = learningResultsCsv(bits).trim().split('\n');
      expect(rows[0]).toMatch(/published_sound,message_budget,levels$/u);
      expect(rows[2]).toMatch(/^3,vector-rr,,200,.*,4,3$/u);
    },
  );

  it('gathers rounds at the users that all of them have', () => {
    const rounds = [
      [1, 1, 2],
      [1, 2, 2],
      [1, 1, 3],
    ].map((budgets) => ({
      trial: 0,
      budgets: Float64Array.from(budgets),
    }));
    expect(gatheredRounds(rounds, 5, 3)).toEqual([
      {
        trial: 0,
        levels: [
          { budget: 1, users: 1 },
          { budget: 2, users: 0 },
          { budget: 3, users: 0 },
        ],
      },
    ]);
    expect(gatheredRounds([...rounds, rounds[0]!], 5, 1)).toHaveLength(3);
  });

  it('that is interrupted keeps what it has, and goes on from there', async () => {
    const interruption = new AbortController();
    const onProgress = (done: number): void => {
      if (done === 2) interruption.abort(new Error('stop'));
    };
    const interrupted = run('interrupted', { signal: interruption.signal, onProgress });
    await expect(interrupted).rejects.toThrow('stop');
    const kept = readFileSync(join(folder, 'interrupted/journal.jsonl'), 'utf8').trim().split('\n');
    expect(kept.length).toBe(1 + 2);
    const resumed = await run('interrupted', { resume: true });
    expect(roundsCsv(resumed)).toBe(roundsCsv(whole));
  });

  it('does not change when other frameworks join it', async () => {
    const alone = await run('alone', {}, { frameworks: [{ kind: 'apes' }] });
    expect(alone.frameworks[0]!.accuracies).toEqual(whole.frameworks[1]!.accuracies);
  });

  it('has configs in this project that are all valid', () => {
    const configs = fileURLToPath(new URL('../../../../configs/learning/', import.meta.url));
    const names = readdirSync(configs);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names)
      expect(loadLearningConfig(join(configs, name)).name).toBe(name.replace('.yaml', ''));
  });

  it.each([
    [{ usersPerRound: 201 }, 'tiny.yaml: usersPerRound = 201: must be at most users, 200'],
    [{ rounds: 0 }, 'tiny.yaml: rounds = 0: must be an integer from 1 to 100000'],
    [{ colour: 'red' }, 'tiny.yaml: colour = "red": is not a known field'],
    [{ frameworks: [{ kind: 's-apes' }] }, 'frameworks[0].keptShare is missing: must be given for s-apes'],
    [
      { frameworks: [{ kind: 'apes', keptShare: 0.2 }] },
      'frameworks[0].keptShare = 0.2: must be left out for apes',
    ],
    [
      { frameworks: [{ kind: 'vector-rr' }] },
      'frameworks[0].messageBudget is missing: must be given for vector-rr',
    ],
    [
      { frameworks: [{ kind: 'apes', levels: 2 }] },
      'frameworks[0].levels = 2: must be left out for apes: only vector-rr uses it',
    ],
    [
      { frameworks: [{ kind: 'apes', sparsification: 'random' }] },
      'frameworks[0].sparsification = "random": must be left out for apes: only s-apes uses it',
    ],
    [
      { frameworks: [{ kind: 'non-private', clipBound: 1 }] },
      'frameworks[0].clipBound = 1: must be left out for non-private: its gradients are not clipped',
    ],
    [
      {
        frameworks: [
          { kind: 's-apes', keptShare: 0.1 },
          { kind: 's-apes', keptShare: 0.5 },
        ],
      },
      'tiny.yaml: frameworks[1].label is missing: must be given: frameworks[0] is called s-apes too',
    ],
    [
      { frameworks: [{ kind: 'apes' }, { kind: 'uni-shuffle', label: 'apes' }] },
      'frameworks[1].label = "apes": must be a label other than the name of frameworks[0]',
    ],
    [{ frameworks: [{ kind: 'apess' }] }, 'frameworks[0].kind = "apess": must be one of non-private'],
    [{ data: { kind: 'cifar' } }, 'data.kind = "cifar": must be one of mnist, idx'],
  ])('with %j is refused in one line', (changes, reason) => {
    expect(() => config(changes)).toThrow(reason);
  });

  it.each([
    [{ budgets: 'uniform(2,1)' }, 'budgets = "uniform(2,1)": uniform: budgets from 2 to 1'],
    [{ users: 601 }, 'users = 601: must be at most the training images, 600'],
    [{ data: { kind: 'idx', folder: 'none' } }, 'train-images-idx3-ubyte: cannot be read: no such file'],
  ])('that cannot be run with %j is refused before any work', async (changes, reason) => {
    await expect(run('refused', {}, changes)).rejects.toThrow(reason);
  });
});
