/**
 * Figures 1 and 2 of Wang et al., "Privacy Amplification via Shuffling: Unified, Simplified, and Tightened"
 * (PVLDB 17(8), 2024): single-message randomizers, delta = 0.01/n. Our curves add the bracket that is proved.
 */
import { similarityBlanketEpsilon } from '@shuffle-dp/accounting';
import { isPrime } from '@shuffle-dp/core';
import { accountMechanism, boundValue, type Account } from '@shuffle-dp/experiments/account';
import {
  curvesFigure,
  linearGrid,
  savingNote,
  type AmplificationCurve,
} from '../figures/amplification-curves.ts';
import type { Figure } from '../figures/figure.ts';

const PUBLISHED = 'variation-ratio, as published';
const CERTIFIED = 'certified, upper end';

const CURVES = [
  { name: 'Erlingsson et al.', style: 'line', colourKey: 'Erlingsson', role: 'earlier' },
  { name: 'privacy blanket, general', style: 'line', colourKey: 'privacy blanket', role: 'earlier' },
  { name: 'privacy blanket, specific', style: 'line', role: 'earlier' },
  { name: 'clone', style: 'line', role: 'earlier' },
  { name: 'stronger clone', style: 'line', role: 'earlier' },
  // Ours: the paper's baseline knows of the mechanism its total variation similarity alone.
  { name: 'privacy blanket, exact moments', style: 'theory', role: 'context' },
  { name: CERTIFIED, style: 'line', colourKey: 'certified', role: 'compared' },
  { name: 'certified, lower end', style: 'theory', colourKey: 'certified', role: 'compared' },
  // Last, and dashed: it lies on the certified upper end nearly everywhere.
  { name: PUBLISHED, style: 'theory', colourKey: 'variation-ratio', role: 'compared' },
] as const satisfies readonly AmplificationCurve[];

/** What the paper computes for a mechanism. */
interface PaperValues {
  /** Total variation similarity: the mass that all inputs share. */
  readonly similarity: number;
  readonly published: number;
}

interface Subject extends Pick<Figure, 'id' | 'title' | 'caption'> {
  readonly mechanism: 'subset' | 'local-hash';
  /** Numbers of categories; the epsilons of local hashing do not depend on them. */
  readonly domains: readonly number[];
  readonly parameters: (epsilon0: number, domain: number) => Record<string, number>;
  readonly paperValues: (account: Account, epsilon0: number, users: number, delta: number) => PaperValues;
  readonly note: string;
}

const USERS = [10_000, 100_000];

export const SUBSET_FIGURE = figureOf({
  id: 'vr.fig1',
  title: 'Variation-ratio paper, Figure 1: subset selection',
  caption:
    'Subset selection by earlier bounds, by the variation-ratio analysis, and as proved: the upper end by the least of all sound ' +
    "bounds, the lower end by the worst data set known. The published analysis is not a proof: the victim's leftover messages are " +
    'counted as shared by all.',
  mechanism: 'subset',
  domains: [16, 128],
  parameters: (epsilon0, domain) => ({ epsilon0, domain }),
  paperValues: (account, epsilon0) => {
    const { domain, subsetSize } = account.parameters as { domain: number; subsetSize: number };
    const held = subsetSize / domain;
    return {
      similarity: 1 / (Math.exp(epsilon0) * held + 1 - held),
      published: boundValue(account, 'variation-ratio')!,
    };
  },
  note: "Subsets have the size that is best for one user; the paper does not state its own, its authors' program takes ceil(d / e^epsilon0).",
});

export const LOCAL_HASH_FIGURE = figureOf({
  id: 'vr.fig2',
  title: 'Variation-ratio paper, Figure 2: optimal local hashing',
  caption:
    'Optimal local hashing by earlier bounds, by the variation-ratio analysis with the total variation of Table 2, and as proved. ' +
    'Table 2 leaves out that a hash function may give two values one bucket; counting it saves more than the table does where there ' +
    'are few buckets. No bound depends on the number of categories.',
  mechanism: 'local-hash',
  domains: [16],
  parameters: (epsilon0, domain) => ({ epsilon0, domain, hashRange: primeUpTo(bucketsOf(epsilon0)) }),
  // As if the hash function told the victim's two values apart: randomized response over the buckets.
  paperValues: (_, epsilon0, users, delta) => {
    const domain = bucketsOf(epsilon0);
    const response = accountMechanism('grr', { epsilon0, domain }, users, { delta });
    return {
      similarity: domain / (Math.exp(epsilon0) + domain - 1),
      published: boundValue(response, 'variation-ratio')!,
    };
  },
  note:
    'Buckets are e^epsilon0 + 1 rounded down, as the paper has it. What is proved needs a prime number of them: the largest one that ' +
    'is not above.',
});

function bucketsOf(epsilon0: number): number {
  return Math.floor(Math.exp(epsilon0) + 1);
}

/** @param most at least 2 */
function primeUpTo(most: number): number {
  return isPrime(most) ? most : primeUpTo(most - 1);
}

function figureOf({ mechanism, domains, parameters, paperValues, note, ...said }: Subject) {
  return curvesFigure({
    ...said,
    paper: 'variation-ratio',
    cost: { full: 8, quick: 4 },
    subtitle: 'delta = 0.01/n, replace-one neighbours',
    baseline: 'the best earlier bound at each point',
    axes: 'amplification',
    xTitle: 'local budget epsilon0 (nats)',
    xName: 'epsilon0',
    settingNames: ['users', 'domain'],
    curves: CURVES,
    grid: { full: linearGrid(0.1, 5, 50), quick: linearGrid(0.1, 5, 15) },
    plans: domains.flatMap((domain) =>
      USERS.map((users) => ({
        title: `n = ${users.toLocaleString('en')}${domains.length > 1 ? `, d = ${domain}` : ''}`,
        setting: [users, domain],
        epsilonsAt: (epsilon0: number) => {
          const delta = 0.01 / users;
          const account = accountMechanism(mechanism, parameters(epsilon0, domain), users, { delta });
          const { similarity, published } = paperValues(account, epsilon0, users, delta);
          const specific = similarityBlanketEpsilon(epsilon0, similarity, users, delta);
          return epsilonsOf(account, specific, published);
        },
      })),
    ),
    notes: (figure) => [note, savingNote(figure, PUBLISHED), savingNote(figure, CERTIFIED)],
  });
}

/** In the order of `CURVES`. */
function epsilonsOf(account: Account, specific: number, published: number): (number | null)[] {
  const value = (name: string) => boundValue(account, name);
  return [
    value('erlingsson'),
    smaller(value('blanket-hoeffding-generic'), value('blanket-bennett-generic')),
    specific,
    value('clone'),
    value('stronger-clone'),
    smaller(value('blanket-hoeffding'), value('blanket-bennett')),
    account.bracket.upper,
    account.bracket.lower,
    published,
  ];
}

function smaller(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.min(a, b);
}
