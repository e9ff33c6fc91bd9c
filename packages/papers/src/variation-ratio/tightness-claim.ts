/**
 * Where Wang et al. (PVLDB 17(8), 2024), section 5, call their bound exactly tight: their upper bound
 * (Theorem 4.8) beside their lower bound (Theorem 5.1) and the certified bracket, mechanism by mechanism.
 */
import { accountMechanism, boundValue } from '@shuffle-dp/experiments/account';
import { shortEnd } from '@shuffle-dp/experiments/words';
import type { ParameterValues } from '@shuffle-dp/core';
import type { Claim, Finding } from '../claims/claim.ts';
import { digits, tableOf } from '../claims/table-values.ts';

interface Listed {
  readonly title: string;
  readonly mechanism: string;
  readonly parameters: ParameterValues;
  /** Whether the paper says that upper and lower bound coincide. */
  readonly tight: boolean;
}

const USERS = 10_000;
const DELTA = 1e-6;
/** Relative difference below which two epsilons coincide: above that of leftovers at these parameters. */
const COINCIDE = 1e-3;

const LISTED: readonly Listed[] = (
  [
    ['randomized response', 'grr', { epsilon0: 1, domain: 16 }, 'tight'],
    ['subsets of 1', 'subset', { epsilon0: 1, domain: 16, subsetSize: 1 }, 'tight'],
    ['subsets of 2', 'subset', { epsilon0: 1, domain: 16, subsetSize: 2 }, 'tight'],
    ['subsets of 4', 'subset', { epsilon0: 1, domain: 16, subsetSize: 4 }, 'loose'],
    ['local hashing, 5 buckets', 'local-hash', { epsilon0: 1, domain: 16, hashRange: 5 }, 'tight'],
    ['Hadamard response', 'hadamard', { epsilon0: 1, order: 16 }, 'tight'],
    ['PrivUnit', 'priv-unit', { epsilon0: 1, cap: 0.25 }, 'tight'],
    ['PCKV-GRR', 'pckv-grr', { epsilon0: 1, domain: 32, items: 4 }, 'tight'],
    ['Wheel, p >= 1/(2s)', 'wheel', { epsilon0: 1, items: 4, length: 0.125 }, 'tight'],
    ['Laplace', 'laplace', { epsilon0: 1 }, 'loose'],
    ['Cheu and Zhilyaev', 'cheu-zhilyaev', { flip: 0.25 }, 'tight'],
    ['balls into bins', 'balls-into-bins', { bins: 16 }, 'tight'],
    ['pureDUMP', 'pure-dump', { bins: 16 }, 'tight'],
    ['mixDUMP', 'mix-dump', { flip: 0.25, bins: 16 }, 'tight'],
  ] as const
).map(([title, mechanism, parameters, said]) => ({ title, mechanism, parameters, tight: said === 'tight' }));

interface Compared extends Listed {
  readonly published: number;
  readonly lowerBound: number | null;
  readonly least: number;
  readonly most: number;
}

export const TIGHTNESS_CLAIM: Claim = {
  id: 'vr.tight',
  paper: 'variation-ratio',
  source: 'Section 5',
  published:
    'Upper and lower bound coincide for randomized response, subsets of up to 2, local hashing with 3 buckets or more, Hadamard response, PrivUnit, PCKV-GRR, Wheel, Cheu and Zhilyaev, balls into bins, pureDUMP and mixDUMP; not for Laplace noise and subsets of 3 or more.',
  criterion: `the published epsilon and the certified bracket agree to ${100 * COINCIDE} % exactly for the mechanisms listed (n = 10,000, delta = 1e-6)`,
  measure: () => tightnessFinding(LISTED.map(compare)),
};

function compare(listed: Listed): Compared {
  const account = accountMechanism(listed.mechanism, listed.parameters, USERS, { delta: DELTA });
  return {
    ...listed,
    published: boundValue(account, 'variation-ratio')!,
    lowerBound: boundValue(account, 'variation-ratio-lower'),
    least: account.bracket.lower,
    most: account.bracket.upper,
  };
}

function coincides({ published, least, most }: Compared): boolean {
  return Math.abs(published / least - 1) < COINCIDE && Math.abs(published / most - 1) < COINCIDE;
}

function tightnessFinding(compared: readonly Compared[]): Finding {
  const wrong = compared.filter((entry) => coincides(entry) !== entry.tight);
  const agree = compared.length - wrong.length;
  return {
    verdict: wrong.length === 0 ? 'reproduced' : 'differs',
    measured: `${agree} of ${compared.length} as stated${wrong.length === 0 ? '' : `; otherwise: ${wrong.map(describe).join('; ')}`}.`,
    note: 'The lower ends are exact for a data set of equal users. Where they stay below the published value, we know of no data set that attains it. For PrivUnit, three caps that do not meet exist while their half-angle is at most 60 degrees, as here on the circle. For Wheel it would need a set whose arcs avoid those of both of the victim’s; whether there is one depends on the hash function, and our lower ends assume none. Local hashing is listed for a hash function that all users share and that tells the victim’s values apart; with a function of one’s own they collide with probability 1/l.',
    evidence: tableOf(compared, {
      mechanism: 'title',
      'listed as tight': ({ tight }) => (tight ? 'yes' : 'no'),
      'Theorem 4.8': ['published', 5],
      'Theorem 5.1': ['lowerBound', 5],
      'certified from': ['least', 5, 'lower'],
      'certified to': ['most', 5, 'upper'],
    }),
  };
}

function describe(entry: Compared): string {
  const apart = 100 * (1 - entry.least / entry.published);
  return entry.tight
    ? `${entry.title} (published ${digits(entry.published, 4)}, certified ${shortEnd(entry.least, 'lower')} to ${shortEnd(entry.most, 'upper')})`
    : `${entry.title} (listed as loose, ${apart.toFixed(2)} % apart)`;
}
