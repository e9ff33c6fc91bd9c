/**
 * Lemma 4 of Liu et al. (AAAI 2023): how far two Clip-Laplace laws of two budgets and values can be apart.
 */
import type { Claim } from '../claims/claim.ts';
import { digits, tableOf } from '../claims/table-values.ts';

const BUDGETS = [0.05, 0.2, 0.5, 1, 3];
/** Range of the output over that of the values; 1 is the mechanism of the paper's experiments. */
const REACHES = [1, 1.5, 3];
/** Values and outputs, in halves of their ranges. */
const PLACES = [-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1];

/** S of Definition 4 at the value x of [-1, 1], outputs in [-reach, reach], noise of scale 2/budget. */
function normaliser(x: number, reach: number, budget: number): number {
  return 1 - (Math.exp((budget * (x - reach)) / 2) + Math.exp((budget * (-reach - x)) / 2)) / 2;
}

/** log of the density at `output` of a user with this budget and value, but for what is common to all. */
function logDensity(output: number, value: number, reach: number, budget: number): number {
  return Math.log(budget / normaliser(value, reach, budget)) - (budget * Math.abs(output - value)) / 2;
}

/** The largest log ratio over values and outputs on the grid. */
function largestLoss(reach: number, own: number, other: number): number {
  let most = -Infinity;
  for (const first of PLACES) {
    for (const second of PLACES) {
      for (const place of PLACES) {
        const output = place * reach;
        const loss = logDensity(output, first, reach, own) - logDensity(output, second, reach, other);
        most = Math.max(most, loss);
      }
    }
  }
  return most;
}

/** As printed, with C = 1 and A = reach. */
function printedLoss(reach: number, own: number, other: number): number {
  const alpha = normaliser(1, reach, other) / normaliser(1, reach, own);
  return Math.log((alpha * own) / other) + (own + other) / 2 + (reach * Math.abs(own - other)) / 2;
}

export const NEIGHBOUR_DIVERGENCE_CLAIM: Claim = {
  id: 'apes.neighbour-divergence',
  paper: 'apes',
  source: 'Lemma 4',
  published:
    'An upper bound of the largest log ratio of two Clip-Laplace laws, for outputs at least as wide as the values (A >= C), and its form at A = C.',
  criterion:
    'refuted where a pair of values and an output exceed it; reproduced where none does and it is attained somewhere at A = C',
  measure() {
    const rows = REACHES.flatMap((reach) =>
      BUDGETS.flatMap((own) =>
        BUDGETS.map((other) => ({
          reach,
          own,
          other,
          largest: largestLoss(reach, own, other),
          printed: printedLoss(reach, own, other),
        })),
      ),
    );
    const exceeded = rows.filter(({ largest, printed }) => largest > printed + 1e-12);
    const attained = rows.filter(
      ({ reach, largest, printed }) => reach === 1 && Math.abs(largest - printed) < 1e-12,
    );
    const most = rows.reduce((worst, row) =>
      row.largest - row.printed > worst.largest - worst.printed ? row : worst,
    );
    return {
      verdict: exceeded.length > 0 ? 'refuted' : 'reproduced',
      measured: `Exceeded at ${exceeded.length} of ${rows.length} points, attained at ${attained.length} of ${BUDGETS.length ** 2} with A = C; largest less printed ${digits(most.largest - most.printed)} at A = ${most.reach} C, budgets ${most.own} and ${most.other}.`,
      note: 'A bound everywhere; exact at A = C where the first budget is not the larger one, which is what counts echoes of a user of a larger budget.',
      evidence: tableOf(rows, {
        'A/C': 'reach',
        'own budget': 'own',
        'other budget': 'other',
        'largest log ratio': ['largest', 5],
        printed: ['printed', 5],
      }),
    };
  },
};
