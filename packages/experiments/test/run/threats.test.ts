// Users who collude, stay away or are fake. Statistical checks have fixed seeds; the false-alarm rate of the
// file is below 1e-2.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { RandomStream, regularizedGammaTail } from '@shuffle-dp/core';
import { createFrequencyProtocol } from '@shuffle-dp/protocols';
import { parseConfig } from '../../src/config/load-config.ts';
import { attendingNumbers } from '../../src/kinds/attendance.ts';
import type { Attendance } from '../../src/kinds/threats.ts';
import { runCharts } from '../../src/report/run-charts.ts';
import { compareCells } from '../../src/results/comparison.ts';
import type { CellResult, RunResult } from '../../src/results/run-result.ts';
import { runExperiment } from '../../src/run/run-experiment.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-threats-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** What privacy the randomizers give is tested elsewhere: the quick bound calibrates them. */
const accounting = 'blanket';
const categories = {
  name: 'threats',
  seed: 'threats',
  adjacency: 'replace-one',
  trials: 150,
  data: { kind: 'categories-zipf', domain: 6, exponent: 1 },
  users: 300,
  privacy: { epsilon: 2, delta: 1e-5 },
  protocols: [{ kind: 'frequency', randomizer: ['grr', 'oue'], accounting }, { kind: 'pure-dump' }],
};
/** The same messages by fewer users, whatever their number: their noise is the shuffler's. */
const AUGMENTED = ['binomial', 'two-sided-geometric', 'one-sided-geometric'].map((noise) => ({
  kind: `${noise}-dummies`,
}));
const numbers = {
  ...categories,
  data: { kind: 'numbers-zipf', low: 5, high: 9, points: 11 },
  protocols: [
    { kind: 'mean', randomizer: 'duchi', accounting },
    { kind: 'fixed-point-mean', accounting },
  ],
};
const all = { dropout: 0.4, poisoning: { fraction: 0.1, attack: 'random-item', targets: [3, 5] } };

let runs = 0;
async function run(changes: object, given: object = categories): Promise<RunResult> {
  const file = 'threats.yaml';
  const config = parseConfig(JSON.stringify({ ...given, ...changes }), file);
  return runExperiment(config, file, { out: join(root, `run ${runs++}`), workers: 0 });
}

function spreadOf({ mse, squaredErrors }: CellResult): number {
  return squaredErrors.reduce((sum, error) => sum + (error - mse) ** 2, 0) / squaredErrors.length ** 2;
}

/** Of squares of standard normal numbers. */
function chiSquareTail(scores: readonly number[]): number {
  const statistic = scores.reduce((sum, score) => sum + score * score, 0);
  return regularizedGammaTail(scores.length / 2, statistic / 2);
}

describe('errors under attack', () => {
  it('are those that theory expects, whoever stays away and whatever fake users send', async () => {
    const crafted = { protocols: [categories.protocols[0]] };
    const parts = await Promise.all([
      run({ threats: [{ dropout: [0.2, 0.7] }, all] }),
      run({ threats: { dropout: 0.3 }, measure: 'ranges' }),
      run({ threats: { dropout: 0.3 }, measure: 'ranges', protocols: AUGMENTED }),
      run({
        ...crafted,
        threats: [
          { poisoning: { fraction: 0.05, attack: 'maximal-gain', targets: [4] }, dropout: 0.2 },
          { poisoning: { fraction: 0.2, attack: 'random-message', targets: [4, 0] } },
        ],
      }),
      run({ threats: { dropout: 0.3, poisoning: { fraction: 0.05 } } }, numbers),
      run(
        {
          threats: { dropout: 0.3, poisoning: { fraction: 0.05 } },
          measure: 'sum',
          protocols: [numbers.protocols[0]],
        },
        numbers,
      ),
    ]);
    const cells = parts.flatMap((part) => part.cells);
    expect(cells).toHaveLength(22);
    const scores = cells.map((cell) => (cell.mse - cell.mseTheory!) / Math.sqrt(spreadOf(cell)));
    expect(chiSquareTail(scores)).toBeGreaterThan(1e-3);
    expect(Math.max(...scores.map(Math.abs))).toBeLessThan(4.5);
  });

  it('are the same message by message', async () => {
    const protocols = [{ kind: 'frequency', randomizer: 'grr', accounting }, { kind: 'pure-dump' }];
    const input = { dropout: 0.2, poisoning: { fraction: 0.2, attack: 'input', targets: [3, 5] } };
    const changes = { protocols, threats: [all, input], trials: 300 };
    const [counted, made] = await Promise.all([
      run(changes),
      run({ ...changes, simulation: 'messages', seed: 'others' }),
    ]);
    const scores = counted.cells.map((cell, i) => {
      const other = made.cells[i]!;
      expect(spreadOf(cell) / spreadOf(other)).toBeGreaterThan(0.6);
      expect(spreadOf(cell) / spreadOf(other)).toBeLessThan(1 / 0.6);
      return (cell.mse - other.mse) / Math.sqrt(spreadOf(cell) + spreadOf(other));
    });
    expect(chiSquareTail(scores)).toBeGreaterThan(1e-3);
  });

  it('of crafted messages are the same where these stand in the shuffled list', async () => {
    const poisoning = (attack: string, targets: number[]) => ({
      threats: { dropout: 0.2, poisoning: { fraction: 0.1, attack, targets } },
    });
    const frequency = (...randomizer: string[]) => ({
      protocols: [{ kind: 'frequency', randomizer, accounting }],
    });
    const settings = [
      { ...poisoning('maximal-gain', [4, 1]), ...frequency('grr', 'oue', 'binary-rr', 'subset') },
      { ...poisoning('maximal-gain', [4]), ...frequency('local-hash') },
      { ...poisoning('random-message', [4, 1]), ...frequency('grr', 'local-hash') },
    ];
    const made = await Promise.all(
      settings.map((changes) => run({ ...changes, simulation: 'messages', trials: 300, seed: 'made' })),
    );
    const scores = made
      .flatMap(({ cells }) => cells)
      .map((cell) => (cell.mse - cell.mseTheory!) / Math.sqrt(spreadOf(cell)));
    expect(scores).toHaveLength(7);
    expect(chiSquareTail(scores)).toBeGreaterThan(1e-3);
  });

  it('move the mean of numbers towards the upper end, by the share of fake users', async () => {
    const { cells } = await run(
      { threats: { poisoning: { fraction: 0.2 } }, users: 1e6, trials: 10 },
      numbers,
    );
    for (const { answers } of cells) {
      const [truth, estimate] = [answers!.truths[0]!, answers!.means[0]!];
      expect(estimate).toBeCloseTo(truth + 0.2 * (9 - truth), 2);
    }
  });

  it('of colluding users are none: they send as they would', async () => {
    const { cells } = await run({
      threats: { colluding: [0, 0.5] },
      trials: 3,
      protocols: [{ kind: 'pure-dump' }],
    });
    expect(cells[1]!.cell).not.toBe(cells[0]!.cell);
    expect(cells[1]!.squaredErrors).toEqual(cells[0]!.squaredErrors);
    expect(cells[1]!.certified[0]!.epsilon.upper).toBeGreaterThan(cells[0]!.certified[0]!.epsilon.upper);
  });
});

describe('privacy under threats', () => {
  it('is that of as many users fewer', async () => {
    const threats = { colluding: 0.1, poisoning: { fraction: 0.05, targets: [0] } };
    const { cells } = await run({
      threats,
      trials: 1,
      protocols: [{ kind: 'frequency', randomizer: 'grr' }],
    });
    const [{ certified, stated, parameters }] = cells as [CellResult];
    const epsilon0 = parameters['epsilon0'] as number;
    const fewer = createFrequencyProtocol(
      { kind: 'frequency', randomizer: 'grr', epsilon0 },
      { users: 300 - 30 - 15, domain: 6, delta: 1e-5 },
    );
    expect(certified[0]!.epsilon).toEqual(fewer.certifiedPrivacy()[0]!.epsilon);
    expect(stated).toEqual(certified);
    expect(certified[0]!.unit).toContain('honest');
  });

  it('knows what theory knows: blankets are lost with their users', () => {
    const [users, delta] = [7, 0.2];
    const protocol = createFrequencyProtocol(
      { kind: 'pure-dump', blanketRate: 10 / users },
      { users, domain: 2, delta },
    );
    for (const [colluders, blankets] of [
      [0, 10],
      [1, 8],
      [2, 6],
      [3, 4],
      [4, 3],
    ] as const) {
      const [statement] = protocol.threatenedPrivacy!({ colluding: colluders / users });
      const { lower, upper } = statement!.epsilon;
      expect(binomialDivergence(blankets, upper)).toBeLessThanOrEqual(delta * (1 + 1e-9));
      expect(binomialDivergence(blankets, lower * (1 - 1e-6))).toBeGreaterThanOrEqual(delta * (1 - 1e-9));
    }
  });

  it('is less where noise was planned for more users than are left', async () => {
    const protocols = [{ kind: 'split-and-mix', honest: 0.8 }];
    const { cells } = await run({ protocols, threats: { colluding: [0.2, 0.21] }, trials: 1 }, numbers);
    expect(cells[0]!.certified[0]!.epsilon.upper).toBeLessThanOrEqual(2);
    expect(cells[1]!.certified[0]!.epsilon.lower).toBeGreaterThan(2);
    expect(cells[1]!.certified[0]!.epsilon.upper).toBeLessThan(2.1);
  });
});

/** Of 0 and 1 in the clear among so many fair bits: what is seen is how many are 1. */
function binomialDivergence(bits: number, epsilon: number): number {
  const chance = (ones: number): number => {
    if (ones < 0 || ones > bits) return 0;
    let value = 0.5 ** bits;
    for (let k = 1; k <= ones; k++) value *= (bits + 1 - k) / k;
    return value;
  };
  let sum = 0;
  for (let ones = 0; ones <= bits + 1; ones++)
    sum += Math.max(0, chance(ones - 1) - Math.exp(epsilon) * chance(ones));
  return sum;
}

describe('a run with threats', () => {
  it('compares at equal threats, and draws error and epsilon against each', async () => {
    const threats = [{ colluding: [0, 0.2] }, { dropout: [0, 0.2] }];
    const result = await run({ threats, trials: 2 });
    expect(compareCells(result)).toHaveLength(3);
    expect(runCharts(result).map(({ chart }) => chart.id)).toEqual([
      'error-by-colluding',
      'epsilon-by-colluding',
      'error-by-dropout',
      'epsilon-by-dropout',
    ]);
  });

  it.each([
    [{ dropout: 1 }, 'threats.dropout = 1: must be a number in [0, 1)'],
    [{ poisoning: { fraction: 0.1 } }, 'threats.poisoning.targets is missing'],
    [{ poisoning: { fraction: 0.1, targets: [6] } }, 'targets[0] = 6: must be below 6'],
    [{ poisoning: { fraction: 0.1, targets: ['x'] } }, 'targets[0] = "x": must be a number'],
    [{ poisoning: { fraction: 0.1, targets: [1, 1] } }, 'targets[1] = 1: must be listed once'],
    [{ poisoning: { fraction: 0.1, targets: [1], attack: 'maximal-gain' } }, 'for pure-dump'],
    [{ colluding: 0.5, poisoning: { fraction: 0.5, targets: [1] } }, 'threats = 1: must be below 1'],
    // Tables would rank each protocol at the attack that hurts it least.
    [
      [1, 2].map((target) => ({ poisoning: { fraction: 0.1, targets: [target] } })),
      'threats[1].poisoning.fraction = 0.1: must be another fraction than an earlier attack has',
    ],
  ])('refuses %j', async (threats, message) => {
    await expect(run({ threats })).rejects.toThrow(message);
  });

  it('refuses messages of a function that need not exist, and sums of counts that are drawn one by one', async () => {
    const poisoning = { fraction: 0.1, attack: 'maximal-gain', targets: [1, 2] };
    const hashed = {
      protocols: [{ kind: 'frequency', randomizer: ['grr', 'local-hash'], accounting }],
      threats: { poisoning },
    };
    await expect(run({ ...hashed, simulation: 'messages' })).rejects.toThrow('targets');
    const grr = {
      protocols: [{ kind: 'frequency', randomizer: 'grr', accounting }],
      threats: { poisoning },
      trials: 1,
    };
    await expect(run({ ...grr, error: 'maximum' })).rejects.toThrow("simulation 'messages'");
    const { cells } = await run({ ...grr, error: 'maximum', simulation: 'messages' });
    expect(cells).toHaveLength(1);
  });

  it('refuses what nothing is known of', async () => {
    const sets = {
      data: { kind: 'sets-uniform', domain: 9, items: 2 },
      privacy: { levels: [1], delta: 1e-5 },
      protocols: [{ kind: 'balls-into-bins' }],
    };
    await expect(run({ ...sets, threats: { dropout: 0.1 } })).rejects.toThrow('threats.dropout');
    await expect(run({ ...sets, threats: { colluding: 0.1 } })).rejects.toThrow('no privacy is proved');
  });
});

it('fake users hold the upper end beside more points than a call has arguments', () => {
  const size = 200_000;
  const counts = {
    points: new Float64Array(size).map((_, i) => i / size),
    holders: new Float64Array(size).fill(1),
  };
  const data = { kind: 'numbers', users: size, counts } as const;
  const attending = { honest: size - 5, fakes: 5 } as Attendance;
  const { users, counts: all } = attendingNumbers(data, attending, 1, RandomStream.fromSeed('many'));
  expect([users, all!.points.at(-1), all!.holders.at(-1)]).toEqual([size, 1, 5]);
  expect(all!.holders.reduce((sum, count) => sum + count)).toBe(size);
});
