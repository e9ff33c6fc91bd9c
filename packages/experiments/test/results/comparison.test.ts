import { describe, expect, it } from 'vitest';
import { chooseSetting } from '../../src/results/chosen-setting.ts';
import { chosenCells, compareCells } from '../../src/results/comparison.ts';
import type { CellResult, RunResult } from '../../src/results/run-result.ts';

interface Given {
  readonly series: number;
  readonly measured: number;
  readonly theory?: number;
  readonly choice?: number;
  readonly spread?: number;
}

/** Only what a comparison looks at. */
function cell({ series, measured, theory, choice, spread = 0.001 }: Given): CellResult {
  return {
    series,
    users: 100,
    dataKey: 'data',
    sweep: {},
    trials: 100,
    choiceError: choice ?? null,
    error: {
      mean: measured,
      interval: { lower: 0, upper: Infinity },
      theory: theory ?? null,
      relativeVariance: spread,
    },
  } as unknown as CellResult;
}

const compare = (cells: readonly CellResult[], everySetting = false) => {
  const groups = compareCells({ cells } as unknown as RunResult, { everySetting });
  expect(groups).toHaveLength(1);
  return groups[0]!;
};

describe('the setting of a sweep', () => {
  it('is that of the least theory, whatever was measured', () => {
    const cells = [
      cell({ series: 0, measured: 0.5, theory: 2 }),
      cell({ series: 0, measured: 3, theory: 1 }),
      cell({ series: 0, measured: 0.1, theory: 1.5 }),
    ];
    expect(chooseSetting(cells)).toEqual({ cell: cells[1], by: 'theory' });
  });

  it('is the best of trials of their own where there is no theory, whatever was measured', () => {
    const cells = [
      cell({ series: 0, measured: 0.5, choice: 2 }),
      cell({ series: 0, measured: 3, choice: 1 }),
    ];
    expect(chooseSetting(cells)).toEqual({ cell: cells[1], by: 'trials of their own' });
  });

  it('never holds theory of some against trials of others', () => {
    // By theory where there is one, the first would win with what the second was not asked for.
    const cells = [
      cell({ series: 0, measured: 2, theory: 0.9, choice: 2 }),
      cell({ series: 0, measured: 1, choice: 1 }),
    ];
    expect(chooseSetting(cells)).toEqual({ cell: cells[1], by: 'trials of their own' });
    const told = [cells[0]!, cell({ series: 0, measured: 0.1, theory: 1.1, choice: 1 })];
    expect(chooseSetting(told)).toEqual({ cell: told[0], by: 'theory' });
  });

  it('is no choice where it is the only one', () => {
    const only = cell({ series: 0, measured: 1 });
    expect(chooseSetting([only])).toEqual({ cell: only, by: null });
  });
});

describe('a comparison', () => {
  const cells = [
    cell({ series: 0, measured: 0.9, theory: 2 }),
    cell({ series: 0, measured: 1.1, theory: 1 }),
    cell({ series: 1, measured: 3 }),
    cell({ series: 2, measured: 4 }),
  ];

  it('is of the chosen settings; a setting that measured less is neither the best nor counted', () => {
    const group = compare(cells);
    expect(group.best).toBe(cells[1]);
    expect(chosenCells(group).map(({ cell: { series } }) => series)).toEqual([0, 1, 2]);
    expect(group.cells.map(({ chosen }) => chosen)).toEqual([false, true, true, true]);
    expect(group.cells[0]).toMatchObject({ ratioInterval: null, separated: false });
    expect(group.cells[0]!.ratioToBest).toBeCloseTo(0.9 / 1.1, 12);
    expect(group.cells.map(({ separated }) => separated)).toEqual([false, false, true, true]);
    const { lower, upper } = group.cells[3]!.ratioInterval!;
    // z = 2.24 for two comparisons and both sides, two relative variances of 0.001.
    expect(Math.log(4 / 1.1 / lower)).toBeCloseTo(2.26 * Math.sqrt(0.002), 3);
    expect(upper).toBeGreaterThan(4 / 1.1);
  });

  it('of every setting counts them all, and has wider intervals', () => {
    const all = compare(cells, true);
    expect(all.best).toBe(cells[0]);
    expect(all.cells.every(({ ratioInterval }) => ratioInterval !== null)).toBe(true);
    const width = ({ cells: of }: typeof all): number =>
      Math.log(of[3]!.ratioInterval!.upper / of[3]!.ratioInterval!.lower);
    expect(width(all)).toBeGreaterThan(width(compare(cells)));
  });

  it('keeps data sets and central targets apart', () => {
    const other = { ...cells[2]!, dataKey: 'other' };
    const target = { ...cells[2]!, sweep: { targetEpsilon: 1 } };
    expect(compareCells({ cells: [...cells, other, target] } as unknown as RunResult)).toHaveLength(3);
  });
});

it('is by the error that the config names, even where the squared error says otherwise', () => {
  const [first, second] = [
    { ...cell({ series: 0, measured: 3 }), mse: 1 },
    { ...cell({ series: 1, measured: 2 }), mse: 5 },
  ];
  const { best, cells } = compare([first, second]);
  expect(best).toBe(second);
  expect(cells.map(({ ratioToBest }) => ratioToBest)).toEqual([1.5, 1]);
});
