import { expect, it } from 'vitest';
import { CALIBRATION_ERROR_FIGURE } from '../../src/apes/calibration-error-figure.ts';
import { CLIP_LAPLACE_MOMENTS } from '../../src/apes/clip-laplace-moments.ts';
import type { FigureResult } from '../../src/figures/figure.ts';

async function made(id: string): Promise<FigureResult> {
  const figure = [CALIBRATION_ERROR_FIGURE, ...CLIP_LAPLACE_MOMENTS].find(
    (candidate) => candidate.id === id,
  )!;
  return await figure.make({ quick: true, folder: '', report: () => undefined });
}

function rowsOf({ table }: FigureResult): Record<string, number | string>[] {
  return table.rows.map((row) => Object.fromEntries(table.columns.map((name, k) => [name, row[k]!])));
}

it('the error of an averaged message has the law that the variances say', async () => {
  const rows = rowsOf(await made('apes.fig6'));
  const cell = 0.06 / rows.length;
  const shareOf = (column: string): number[] => rows.map((row) => (row[column] as number) * cell);
  const drawn = shareOf('density');
  const expected = shareOf('density_theory');
  const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
  expect(sum(drawn)).toBeGreaterThan(0.999);
  expect(sum(expected)).toBeCloseTo(1, 3);
  // Distance of 2,000 draws to their law: beyond 0.0593 with probability 1e-6 (Dvoretzky, Kiefer, Wolfowitz);
  // 0.002 for the cells.
  let difference = 0;
  drawn.forEach((share, k) => {
    difference += share - expected[k]!;
    expect(Math.abs(difference)).toBeLessThan(0.0613);
  });
});

it(
  'Clip-Laplace has the smaller variance, at most C squared, and Laplace noise no bias',
  { tags: 'long' },
  async () => {
    for (const row of rowsOf(await made('apes.fig9'))) {
      const [bound, epsilon0] = [row['clip_bound'] as number, row['epsilon0'] as number];
      const exact = row['variance_theory'] as number;
      const laplace = 8 * (bound / epsilon0) ** 2;
      if (row['mechanism'] === 'Laplace') expect(exact).toBeCloseTo(laplace, 10);
      else expect(exact).toBeLessThan(Math.min(laplace, bound * bound));
      // Of 100,000 draws; the fourth moment of Laplace noise is 6 variances squared: 0.0071 is one deviation.
      expect(Math.abs((row['variance'] as number) / exact - 1)).toBeLessThan(0.04);
    }
  },
);

it('the drawn bias is the exact one, up to C / 2', { tags: 'long' }, async () => {
  for (const row of rowsOf(await made('apes.fig10'))) {
    const [bound, epsilon0] = [row['clip_bound'] as number, row['epsilon0'] as number];
    const exact = row['bias_theory'] as number;
    if (row['mechanism'] === 'Laplace') expect(exact).toBeCloseTo(0, 12);
    else {
      expect(exact / bound).toBeGreaterThan(0.35);
      expect(exact / bound).toBeLessThan(0.5);
    }
    // Five deviations of the mean of 100,000 draws; those of Clip-Laplace are smaller.
    const deviation = row['mechanism'] === 'Laplace' ? Math.sqrt(8) * (bound / epsilon0) : bound;
    expect(Math.abs((row['bias'] as number) - exact)).toBeLessThan((5 * deviation) / Math.sqrt(1e5));
  }
});
