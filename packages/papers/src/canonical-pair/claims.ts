/**
 * What A. Shvets, "Growing Alphabets in Canonical Shuffle Experiments" (arXiv:2603.18080, 2026), states of
 * augmented randomized response.
 */
import { blanketDivergence, certifiedEpsilon } from '@shuffle-dp/accounting';
import type { AmplificationProfile, LikelihoodAtoms } from '@shuffle-dp/core';
import { augmentedRandomizedResponse } from '@shuffle-dp/randomizers';
import { shortEnd } from '@shuffle-dp/experiments/words';
import type { Claim } from '../claims/claim.ts';
import { digits, tableOf } from '../claims/table-values.ts';

const USERS = 10_000;
const DOMAIN = 16;
const DELTA = 1e-6;
const TARGET = 0.1;

/** Local budgets of those who answer. */
const BUDGETS = [3, 4, 5];

/** Delta at the target. */
type Account = (profile: AmplificationProfile) => number;

const worst = (atomsList: readonly LikelihoodAtoms[]): number =>
  Math.max(...atomsList.map((atoms) => blanketDivergence(atoms, USERS, TARGET, { ends: 'upper' }).upper));

/** The pair of data sets in which all other users hold the victim's first value. */
const canonical: Account = ({ homogeneous }) =>
  worst(homogeneous.filter(({ label }) => label === "all others hold the victim's first value"));

/** Of all pairs. */
const certified: Account = ({ blanket }) => worst(blanket);

interface Design {
  readonly epsilon0: number;
  readonly informative: number;
  /** Variance of the frequency of a category that nobody holds, and of one that a sixteenth holds. */
  readonly ofNone: number;
  readonly ofShare: number;
  readonly least: number;
}

function design(epsilon0: number, informative: number): Design {
  const oracle = augmentedRandomizedResponse({ domain: DOMAIN, epsilon0, informative });
  return {
    epsilon0,
    informative,
    ofNone: oracle.variance(USERS, 0),
    ofShare: oracle.variance(USERS, 1 / DOMAIN),
    least: certifiedEpsilon(oracle.amplification(), USERS, DELTA, { epsilon0 }).lower,
  };
}

/** The most informative design that meets the target, by bisection of one parameter. */
function calibrated(
  account: Account,
  parametersAt: (x: number) => readonly [epsilon0: number, share: number],
): Design {
  let [low, high] = [0, 1];
  for (let step = 0; step < 24; step++) {
    const middle = (low + high) / 2;
    const [epsilon0, informative] = parametersAt(middle);
    const { amplification } = augmentedRandomizedResponse({ domain: DOMAIN, epsilon0, informative });
    if (account(amplification()) <= DELTA) low = middle;
    else high = middle;
  }
  return design(...parametersAt(low));
}

export const CANONICAL_PAIR_CLAIMS: readonly Claim[] = [
  {
    id: 'canonical.augmented-rr',
    paper: 'canonical-pair',
    source: 'Abstract',
    published:
      'At an equal budget of the canonical pair, all other users holding the victim’s value, calibrated randomized response is not optimal: augmented randomized response estimates frequencies better, and best of all in the low-budget regime.',
    criterion:
      'reproduced where it has less variance at equal privacy of all pairs of neighbouring data sets; differs where it has only at equal privacy of the canonical pair',
    measure() {
      const plain = (account: Account): Design => calibrated(account, (x) => [0.1 + 4 * x, 1]);
      const augmented = (account: Account): Design[] =>
        BUDGETS.map((epsilon0) => calibrated(account, (x) => [epsilon0, Math.max(1e-6, x)]));
      const rows = [
        ['randomized response', 'canonical', plain(canonical)] as const,
        ...augmented(canonical).map((row) => ['augmented', 'canonical', row] as const),
        ['randomized response', 'all pairs', plain(certified)] as const,
        ...augmented(certified).map((row) => ['augmented', 'all pairs', row] as const),
      ];
      const of = (name: string, pairs: string): Design[] =>
        rows.filter(([who, what]) => who === name && what === pairs).map(([, , row]) => row);
      const least = (designs: readonly Design[]): number => Math.min(...designs.map(({ ofNone }) => ofNone));
      const better = (pairs: string): boolean =>
        least(of('augmented', pairs)) < least(of('randomized response', pairs));
      const exceeded = of('augmented', 'canonical').map(({ least: epsilon }) => shortEnd(epsilon, 'lower'));
      const shown = (pairs: string): string =>
        `${digits(least(of('randomized response', pairs)), 3)} against ${digits(least(of('augmented', pairs)), 3)}`;
      return {
        verdict: better('all pairs') ? 'reproduced' : 'differs',
        measured: `16 categories, 10,000 users, delta = 1e-6, epsilon = 0.1. On the canonical pair: variance ${shown('canonical')}${better('canonical') ? ', augmented is better' : ''}; but other data sets have epsilon at least ${exceeded.join(', ')} (epsilon0 = ${BUDGETS.join(', ')}). At 0.1 certified for all pairs: ${shown('all pairs')}${better('all pairs') ? '' : ', randomized response is better'}.`,
        note: 'The theorem is about one pair of data sets, and is not contradicted there. That pair is not the worst: others who hold a third value send the victim’s two values more rarely, and hide less. Privacy after shuffling is that of the worst pair, and at equal privacy in this sense the advantage is gone.',
        evidence: tableOf(
          rows.map(([mechanism, pairs, found]) => ({ mechanism, pairs, ...found })),
          {
            mechanism: 'mechanism',
            'epsilon 0.1 of': 'pairs',
            epsilon0: ['epsilon0', 4],
            'share that answers': ['informative', 4],
            'epsilon at least': ['least', 4, 'lower'],
            'variance, nobody holds it': ['ofNone', 4],
            'variance, 1/16 holds it': ['ofShare', 4],
          },
        ),
      };
    },
  },
];
