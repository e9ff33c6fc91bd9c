/** What the page Runs takes from a results folder, of this version and of earlier ones. */
import { afterEach, expect, it, vi } from 'vitest';
import {
  cellError,
  certifiedEpsilon,
  fileAddress,
  runPictures,
  runSummary,
  runTitle,
  type RunSummary,
  type SummaryCell,
} from '../src/runs/served-runs.ts';

afterEach(() => vi.unstubAllGlobals());

/** A cell of summary.json as the first versions wrote it. */
const EARLY = {
  cell: '1a',
  protocol: 'Balls into bins',
  users: 2000,
  delta: 5e-6,
  sweep: {},
  mse: 0.0055,
  mseInterval: { lower: -0.01, upper: 0.02 },
  messagesPerUser: 19.3,
  bitsPerUser: 78.9,
  certified: [{ epsilon: { lower: 0, upper: 0.49 } }, { epsilon: { lower: 0.1, upper: 'Infinity' } }],
};
const read = async (text: string): ReturnType<typeof runSummary> => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(text)));
  return await runSummary({ name: 'a', changed: '', files: ['summary.json'] });
};
const cellsOf = async (summary: object): Promise<readonly SummaryCell[]> =>
  ((await read(JSON.stringify(summary))) as RunSummary).cells;

it('reads the cells of an early run, which know no error but the squared one', async () => {
  const cells = await cellsOf({ name: 'a', question: null, trials: 2, cells: [EARLY] });
  expect(cells.map(cellError)).toEqual([{ mean: 0.0055, interval: { lower: -0.01, upper: 0.02 } }]);
  expect(cells.map(certifiedEpsilon)).toEqual([Infinity]);
});

it('takes the error that a run is compared by', async () => {
  const error = { mean: 0.1, interval: { lower: 0, upper: 'Infinity' } };
  const cells = await cellsOf({ name: 'a', question: null, trials: 2, cells: [{ ...EARLY, error }] });
  expect(cells.map(cellError)).toEqual([error]);
});

it.each([
  ['a training', { name: 'a', frameworks: [] }],
  ['a run without truth', { name: 'a', cells: [{ cell: '1a', protocol: 'grr' }] }],
])('shows no table of %s', async (_, summary) => expect(await read(JSON.stringify(summary))).toBeNull());

it.each([
  '',
  '{"name":"a","cells":[{',
  'null',
  '[]',
  '{"cells":[null]}',
  '{"cells":5}',
  '{"cells":[{"mseInterval":{}}],"name":"a","trials":2}',
  JSON.stringify({ cells: [EARLY] }),
  JSON.stringify({ name: 'a', trials: 2, cells: [EARLY, { ...EARLY, certified: [null] }] }),
])('knows a damaged summary: %s', async (text) => expect(await read(text)).toBe('unreadable'));

it('finds the charts of a run in the forms that it has', () => {
  const early = ['figures/error-by-users.png', 'figures/error-by-users.svg'];
  const name = 'error by users';
  const png = { form: 'PNG', file: 'figures/error-by-users.png' };
  expect(runPictures(early)).toEqual([{ file: early[1], name, others: [png] }]);
  const forms = ['.data.csv', '.pdf', '.png', '.svg', '.vl.json'].map(
    (ending) => `figures/error-by-users${ending}`,
  );
  expect(runPictures(forms)[0]!.others.map(({ form }) => form)).toEqual(['data', 'PNG', 'PDF', 'spec']);
  expect(runPictures(['report.html'])).toEqual([]);
});

it('has an address and a title for the results folder itself, where that is a run', () => {
  const run = { name: '', changed: '', files: ['report.html'] };
  expect(runTitle({ folder: 'results/quick' }, run)).toBe('results/quick');
  expect(fileAddress('', 'figures/a b.svg')).toBe('runs/figures/a%20b.svg');
  expect(fileAddress('papers/one', 'report.html')).toBe('runs/papers/one/report.html');
});
