/**
 * Tables 3 and 4 of APES are judged by means of trainings; here the trainings are given, and no training
 * runs.
 */
import { describe, expect, it } from 'vitest';
import { PRINTED_SHUFFLED, SHUFFLED_KINDS } from '../../src/apes/printed.ts';
import { APES_TABLE_CLAIMS } from '../../src/apes/table-claims.ts';
import type { ClaimContext, Finding } from '../../src/claims/claim.ts';
import { BUDGET_DISTRIBUTIONS } from '../../src/figures/budget-distributions.ts';
import type { ResultTable } from '../../src/figures/figure-table.ts';

/** The figure's table with every accuracy so many points above the printed one. */
function contextWith(off: (distribution: string, framework: string) => number): ClaimContext {
  const rows = BUDGET_DISTRIBUTIONS.flatMap(({ name, text }) =>
    SHUFFLED_KINDS.map((kind) => {
      const mean = (PRINTED_SHUFFLED[name]![kind].accuracy + off(name, kind)) / 100;
      return [name, text, kind, 5, mean, mean - 0.01, mean + 0.01];
    }),
  );
  const columns = [
    'distribution',
    'budgets',
    'framework',
    'trials',
    'accuracy',
    'accuracy_ci_low',
    'accuracy_ci_high',
  ];
  return {
    folder: '/nowhere',
    figureTable: (figure, setting) => {
      expect([figure.id, setting]).toEqual(['apes.fig3', 'full']);
      return Promise.resolve({ columns, rows } as unknown as ResultTable<never>);
    },
  };
}

describe('accuracies of APES', () => {
  const claim = APES_TABLE_CLAIMS.find(({ id }) => id === 'apes.table4')!;
  const measured = (off: Parameters<typeof contextWith>[0]): Promise<Finding> =>
    Promise.resolve(claim.measure(contextWith(off)));

  it('are reproduced where all means are within five points', async () => {
    const finding = await measured(() => 4.9);
    expect(finding.verdict).toBe('reproduced');
    expect(finding.evidence.columns.at(-1)).toBe('95 % interval');
    expect(finding.evidence.rows[0]!.at(-1)).toBe('79.5 to 81.5');
    // Of 100,000 budgets; the mean of 1 / epsilon^2 over the two laws, of which 184 and 173 are printed in
    // the findings.
    expect(finding.note).toMatch(/18\d(\.\d+)? for Gauss2 and 17\d(\.\d+)? for MixGauss2/u);
  });

  it('differ where one mean is further off, which is named with its interval', async () => {
    const finding = await measured((name, kind) => (name === 'Gauss1' && kind === 's-apes' ? 5.1 : 0));
    expect(finding.verdict).toBe('differs');
    expect(finding.measured).toContain('17 of 18 accuracies');
    expect(finding.measured).toContain('s-apes at Gauss1 (61.7 ± 1.0 for 56.64)');
  });
});
