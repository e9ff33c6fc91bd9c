// A cell is its journal's key: what changes the outcome must change its identity, or old results pass for new
// ones.
import { describe, expect, it } from 'vitest';
import { experimentSchema } from '../../src/config/schema.ts';
import type { Cell } from '../../src/kinds/cell.ts';
import { dataCell, makeCell, type CellContent, type SourceFacts } from '../../src/cells/cells.ts';

const given = {
  name: 'identity',
  seed: 'a seed',
  adjacency: 'replace-one',
  trials: 10,
  data: { kind: 'categories-uniform', domain: 5 },
  users: 100,
  privacy: { epsilon: 1, delta: 1e-6 },
  protocols: [{ kind: 'frequency', randomizer: 'grr' }],
};

interface Described {
  readonly config?: object;
  readonly source?: Partial<SourceFacts>;
  readonly users?: number;
  readonly shares?: readonly number[];
  readonly content?: object;
}

function cellOf({ config = {}, source = {}, users = 100, shares = [1], content = {} }: Described): Cell {
  const parsed = { ...experimentSchema.parse({ ...given, ...config }), measure: 'frequencies' as const };
  const facts = { domain: 5, available: null, file: null, fileDigest: null, ...source };
  const data = dataCell(parsed, facts, users, shares);
  return makeCell(parsed, {
    series: 0,
    holds: data.holds,
    spec: { kind: 'frequency', randomizer: 'grr' },
    data,
    epsilon: 1,
    delta: 1e-6,
    trials: parsed.trials,
    postprocess: 'none',
    sweep: {},
    ...content,
  } as CellContent);
}

const plain = cellOf({});

describe('what changes the random numbers or the protocol changes a cell and its streams:', () => {
  const changes: Record<string, Described> = {
    delta: { content: { delta: 1e-7 } },
    epsilon: { content: { epsilon: 2 } },
    'the randomizer': { content: { spec: { kind: 'frequency', randomizer: 'oue' } } },
    'a parameter of the protocol': {
      content: { spec: { kind: 'frequency', randomizer: 'grr', epsilon0: 3 } },
    },
    'the kind of protocol': { content: { spec: { kind: 'pure-dump' } } },
    seed: { config: { seed: 'another' } },
    users: { users: 101 },
    shares: { shares: [0.5, 0.5] },
    'the domain': { config: { data: { kind: 'categories-uniform', domain: 6 } } },
    'the kind of data': { config: { data: { kind: 'categories-zipf', domain: 5 } } },
    'a parameter of the data': { config: { data: { kind: 'categories-zipf', domain: 5, exponent: 2 } } },
    'the content of the file': { source: { fileDigest: 'abc' } },
    simulation: { config: { simulation: 'messages' } },
  };
  const cells = Object.entries(changes).map(([what, change]) => [what, cellOf(change)] as const);

  it.each(cells)('%s', (_, cell) => {
    expect(cell.id).not.toBe(plain.id);
    expect(cell.streamLabel).not.toBe(plain.streamLabel);
  });

  it('no two of them are alike', () => {
    expect(new Set(cells.map(([, cell]) => cell.id)).size).toBe(cells.length);
    expect(new Set(cells.map(([, cell]) => cell.streamLabel)).size).toBe(cells.length);
  });
});

describe('what changes the rows alone changes a cell and leaves its random numbers:', () => {
  const changes: Record<string, Described> = {
    trials: { config: { trials: 11 } },
    postprocess: { content: { postprocess: 'clip' } },
    measure: { content: { measure: 'ranges' } },
    error: { content: { error: 'maximum' } },
  };

  it.each(Object.entries(changes))('%s', (_, change) => {
    const cell = cellOf(change);
    expect(cell.id).not.toBe(plain.id);
    expect(cell.streamLabel).toBe(plain.streamLabel);
  });
});

describe('what is a name leaves a cell as it is:', () => {
  const changes: Record<string, Described> = {
    'the name and the question of the run': { config: { name: 'other', question: 'Why?' } },
    'the label': { content: { label: 'other' } },
    'its place in the config': { content: { series: 3 } },
    'where the file lies': { source: { file: '/other/file.csv' } },
    'the module of an own randomizer, whose digest counts': {
      content: { spec: { kind: 'frequency', randomizer: 'grr', module: '../run/other.mjs', timeLimit: 9 } },
    },
  };

  it.each(Object.entries(changes))('%s', (_, change) => {
    const cell = cellOf(change);
    expect([cell.id, cell.streamLabel]).toEqual([plain.id, plain.streamLabel]);
  });
});

it('the levels of sets change a cell and its streams', () => {
  const sets = { data: { kind: 'sets-uniform', domain: 5, items: 2 } };
  const [one, two] = [[1], [1, 2]].map((levels) =>
    cellOf({ config: sets, content: { spec: { kind: 'segmented' }, levels } }),
  ) as [Cell, Cell];
  expect(one.id).not.toBe(two.id);
  expect(one.streamLabel).not.toBe(two.streamLabel);
});

describe('the key of the data', () => {
  const keyOf = (described: Described): string => cellOf(described).data.key;

  it('is shared by all protocols, targets and numbers of trials', () => {
    for (const change of [
      { content: { spec: { kind: 'pure-dump' } } },
      { content: { epsilon: 2, delta: 1e-7 } },
      { config: { trials: 11 } },
    ])
      expect(keyOf(change)).toBe(plain.data.key);
  });

  it('tells users, shares, seeds, files and sources apart', () => {
    const keys = [
      {},
      { users: 101 },
      { shares: [0.5, 0.5] },
      { config: { seed: 'another' } },
      { source: { fileDigest: 'abc' } },
      { config: { data: { kind: 'categories-uniform', domain: 6 } } },
      { config: { simulation: 'messages' } },
    ].map(keyOf);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('of sets is the same on both paths of the simulation, whose cells differ', () => {
    const [messages, aggregated] = ['messages', 'aggregated'].map((simulation) =>
      cellOf({
        config: {
          data: { kind: 'sets-uniform', domain: 5, items: 2 },
          privacy: { levels: [1], shares: [1], delta: 1e-6 },
          protocols: [{ kind: 'segmented' }],
          simulation,
        },
        // Its counts are drawn in one way only, so the format of both paths is the same.
        content: { spec: { kind: 'segmented' }, levels: [1] },
      }),
    ) as [Cell, Cell];
    expect(messages.data.key).toBe(aggregated.data.key);
    expect(messages.id).not.toBe(aggregated.id);
    expect(messages.streamLabel).not.toBe(aggregated.streamLabel);
  });
});
