// What commands run beside experiments, through a queue: the bytes of one machine, and all of it done by the
// worker.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseForestConfig } from '../../experiments/src/forest/forest-schema.ts';
import { runForest } from '../../experiments/src/forest/run-forest.ts';
import { writeForest } from '../../experiments/src/forest/write-forest.ts';
import { parseConfig } from '../../experiments/src/config/load-config.ts';
import type { Executor } from '../../experiments/src/pool/pool.ts';
import { runExperiment } from '../../experiments/src/run/run-experiment.ts';
import { parseUnsupervisedConfig } from '../../experiments/src/unsupervised/unsupervised-schema.ts';
import { runUnsupervised } from '../../experiments/src/unsupervised/run-unsupervised.ts';
import { writeUnsupervised } from '../../experiments/src/unsupervised/write-unsupervised.ts';
import type { Claim } from '../../papers/src/claims/claim.ts';
import { measureClaims } from '../../papers/src/claims/measure-claims.ts';
import type { Figure } from '../../papers/src/figures/figure.ts';
import { makeFigures } from '../../papers/src/figures/make-figures.ts';
import { FIGURES } from '../../papers/src/figures/registry.ts';
import { queueExecutor } from '../src/coordinator.ts';
import { work, type PerformTask } from '../src/work.ts';
import { CONFIG, performInside } from './runs.ts';
import { SERVERS, type Server } from './servers.ts';

const installed = SERVERS.find(({ missing }) => missing === null);
const FOREST = {
  name: 'trees',
  seed: 'trees',
  trials: 4,
  data: { kind: 'mixture', users: 500, attributes: 4 },
  height: 2,
  trees: 2,
  attributesPerTree: 3,
  messagesPerUser: [2, 20],
  privacy: { delta: '0.01/n' },
};
const CENTRES = {
  name: 'centres',
  seed: 'centres',
  trials: 3,
  data: { kind: 'blobs', users: 600, dimensions: 2, clusters: 2 },
  method: { kind: 'k-means', clusters: 2, iterations: 2 },
  messagesPerUser: 8,
  privacy: { delta: '0.01/n' },
};

/** As those of the papers that simulate, with little to do. */
const FIGURE: Figure = {
  id: 'queue.figure',
  paper: 'segmented',
  title: 'Figure 0: errors',
  caption: 'Errors.',
  cost: { full: 1, quick: 1 },
  async make({ folder, executor, workers }) {
    const config = parseConfig(CONFIG, 'figure.yaml');
    const run = await runExperiment(config, 'figure.yaml', {
      out: join(folder, 'runs'),
      ...(executor ? { executor } : {}),
      ...(workers === undefined ? {} : { workers }),
    });
    const errors = run.cells.map(({ mse }) => mse);
    return {
      charts: [],
      table: { columns: ['error'], rows: errors.map((error) => [error]) },
      notes: [],
    };
  },
};

const done: string[] = [];
const perform: PerformTask = (module, name, task) => {
  done.push(`${module} ${name}`);
  return performInside(module, name, task);
};

describe.skipIf(installed === undefined)('through a queue', () => {
  let server: Server;
  let folder: string;
  const ending = new AbortController();
  let workers: Promise<number>[];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shuffle-dp-commands-'));
    server = await installed!.start();
    // Two, so that each confirms the other's first answer.
    workers = ['ann', 'ben'].map((name) =>
      work(server.url, { threads: 1, signal: ending.signal, name, perform }),
    );
  });
  afterAll(async () => {
    ending.abort();
    await Promise.all(workers);
    await server.stop();
    rmSync(folder, { recursive: true });
  });
  const there = (): Promise<Executor> => queueExecutor(server.url);
  const bytes = (...path: readonly string[]): string => readFileSync(join(folder, ...path), 'latin1');
  const doneBy = async (run: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> => {
    done.length = 0;
    await run();
    return new Map([...new Set(done)].map((task) => [task, done.filter((each) => each === task).length]));
  };

  it('forests are learnt', async () => {
    const run = (out: string, execution: { executor?: Executor; workers?: number }) =>
      runForest(parseForestConfig(JSON.stringify(FOREST), 'trees.yaml'), 'trees.yaml', {
        out: join(folder, out),
        write: (result, place) => writeForest(result, place, false),
        ...execution,
      });
    await run('forest here', { workers: 0 });
    const tasks = await doneBy(async () => run('forest there', { executor: await there() }));
    // The first answer of a worker is asked for twice, and by chance others.
    expect(tasks.get('forests settleForest')).toBeGreaterThanOrEqual(2);
    expect(tasks.get('forests learnForest')).toBeGreaterThanOrEqual(8);
    for (const file of ['results.csv', 'summary.json'])
      expect(bytes('forest there', file)).toBe(bytes('forest here', file));
  });

  it('centres are learnt', async () => {
    const run = (out: string, execution: { executor?: Executor; workers?: number }) =>
      runUnsupervised(parseUnsupervisedConfig(JSON.stringify(CENTRES), 'centres.yaml'), 'centres.yaml', {
        out: join(folder, out),
        write: (result, place) => writeUnsupervised(result, place, false),
        ...execution,
      });
    await run('centres here', { workers: 0 });
    const tasks = await doneBy(async () => run('centres there', { executor: await there() }));
    expect(tasks.get('unsupervised learnUnsupervised')).toBeGreaterThanOrEqual(3);
    expect(bytes('centres there', 'results.csv')).toBe(bytes('centres here', 'results.csv'));
  });

  it('figures are made, and claims measured by them', async () => {
    const claim: Claim = {
      id: 'queue.test',
      paper: 'segmented',
      source: 'Figure 0',
      published: 'A table.',
      criterion: 'Any.',
      measure: async ({ figureTable }) => {
        const evidence = await figureTable(FIGURE, 'quick');
        return { verdict: 'reproduced', measured: 'A table.', note: '', evidence };
      },
    };
    const context = { quick: true, report: () => {}, verdictsOn: () => [], onMade: () => {} };
    await makeFigures([FIGURE], join(folder, 'here'), { ...context, workers: 0 });
    let executor = await there();
    const made = await doneBy(() => makeFigures([FIGURE], join(folder, 'there'), { ...context, executor }));
    expect(made.get('cells describeCell')).toBeGreaterThanOrEqual(2);
    expect(made.get('cells runTrials')).toBeGreaterThanOrEqual(3);
    const file = 'queue.figure.csv';
    expect(bytes('there', FIGURE.id, file)).toBe(bytes('here', FIGURE.id, file));
    executor = await there();
    const report = (): void => {};
    await measureClaims([claim], { out: join(folder, 'claim here'), workers: 0, report });
    const out = join(folder, 'claim there');
    const measured = await doneBy(() => measureClaims([claim], { out, executor, report }));
    expect(measured.get('cells runTrials')).toBeGreaterThanOrEqual(3);
    expect(bytes('claim there', 'claims.json')).toBe(bytes('claim here', 'claims.json'));
  });
});

describe('what leaves this machine', () => {
  /** Takes nothing, and says so. */
  const refusing: Executor = { withPool: () => Promise.reject(new Error('asked for')) };

  it.each(['seg.fig2', 'apes.fig3', 'apes.fig5'])('the work of %s does', async (id) => {
    // Figures that share trainings keep them beside their own folders.
    const folder = mkdtempSync(join(tmpdir(), 'shuffle-dp-figures-'));
    const context = { quick: true, folder: join(folder, id), executor: refusing, report: () => {} };
    const made = FIGURES.find((figure) => figure.id === id)!.make(context);
    await expect(made).rejects.toThrow('asked for');
    rmSync(folder, { recursive: true });
  });
});
