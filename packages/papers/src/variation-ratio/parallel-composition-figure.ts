/**
 * Figure 5 of Wang et al., "Privacy Amplification via Shuffling: Unified, Simplified, and Tightened" (PVLDB
 * 17(8), 2024): hierarchical range queries, every user answering one level of a binary tree by randomized
 * response with the whole budget. Its advanced parallel composition (Theorem 6.1) mixes the total variations
 * of the levels; the authors' program overwrites the sum in its loop and keeps the last level's share alone,
 * which is where the printed savings come from. Drawn are both, and the bracket that is proved.
 */
import { evaluateParallelBounds, variationRatioEpsilon, type ParallelQuery } from '@shuffle-dp/accounting';
import { hierarchicalRangeQueries } from '@shuffle-dp/protocols';
import { generalizedRandomizedResponse } from '@shuffle-dp/randomizers';
import {
  curvesFigure,
  linearGrid,
  savingNote,
  type AmplificationCurve,
} from '../figures/amplification-curves.ts';

const ADVANCED = 'advanced composition, Theorem 6.1';
const PROGRAM = "advanced composition, authors' program";
const CERTIFIED = 'certified, upper end';

const CURVES = [
  { name: 'separate cohorts, worst', style: 'line', role: 'context' },
  { name: 'separate cohorts, best', style: 'line', role: 'context' },
  { name: 'basic composition', style: 'line', role: 'earlier' },
  { name: CERTIFIED, style: 'line', colourKey: 'certified', role: 'compared' },
  { name: 'certified, lower end', style: 'theory', colourKey: 'certified', role: 'compared' },
  { name: ADVANCED, style: 'theory', colourKey: 'variation-ratio', role: 'compared' },
  { name: PROGRAM, style: 'theory', role: 'compared' },
] as const satisfies readonly AmplificationCurve[];

const DOMAINS = [64, 2048];
const USERS = [10_000, 100_000];

export const PARALLEL_COMPOSITION_FIGURE = curvesFigure({
  id: 'vr.fig5',
  paper: 'variation-ratio',
  title: 'Variation-ratio paper, Figure 5: hierarchical range queries',
  caption:
    'Users who each answer one level of a binary hierarchy: one cohort per level, all together with only the local budget ' +
    'known (basic), and all together with the mean total variation of the levels (advanced). Certified is the mixture of the ' +
    "levels' blankets. The authors' program computes a smaller total variation than the theorem states: its curve lies below " +
    'what an attacker attains.',
  cost: { full: 3, quick: 2 },
  subtitle: 'delta = 0.01/n, replace-one neighbours',
  baseline: 'basic composition',
  axes: 'amplification',
  xTitle: 'local budget epsilon0 (nats)',
  xName: 'epsilon0',
  settingNames: ['users', 'domain'],
  curves: CURVES,
  grid: { full: linearGrid(0.1, 5, 30), quick: linearGrid(0.1, 5, 10) },
  plans: DOMAINS.flatMap((domain) =>
    USERS.map((users) => ({
      title: `n = ${users.toLocaleString('en')}, d = ${domain}`,
      setting: [users, domain],
      epsilonsAt: (epsilon0: number) => epsilonsOf(epsilon0, domain, users),
    })),
  ),
  notes: (figure) => [
    'The paper states about 75 % saved against basic composition, and 80 to 95 % against separate cohorts.',
    ...[ADVANCED, PROGRAM, CERTIFIED].map((name) => savingNote(figure, name)),
  ],
});

/** In the order of `CURVES`. */
function epsilonsOf(epsilon0: number, domain: number, users: number): (number | null)[] {
  const delta = 0.01 / users;
  const levels = Math.log2(domain);
  const queries = Array.from({ length: levels }, (_, level): ParallelQuery => {
    const randomizer = generalizedRandomizedResponse({ epsilon0, domain: domain / 2 ** level });
    return { probability: 1 / levels, amplification: randomizer.amplification() };
  });
  const [best, worst, basic, advanced] = evaluateParallelBounds({ users, epsilon0, queries }, { delta });
  const protocol = hierarchicalRangeQueries({ kind: 'range-queries', epsilon0 }, { users, domain, delta });
  const { lower, upper } = protocol.privacy()[0]!.epsilon;
  const p = Math.exp(epsilon0);
  const lastLevel = (p - 1) / ((p + domain - 1) * levels);
  const program = variationRatioEpsilon({ p, beta: lastLevel, q: p }, users, delta).upper;
  return [worst!.epsilon, best!.epsilon, basic!.epsilon, upper, lower, advanced!.epsilon, program];
}
