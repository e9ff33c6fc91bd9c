/**
 * k-subset selection: a user sends a random k-subset of the categories, one that holds the own value
 * e^epsilon0 times as likely as one that does not. M. Ye and A. Barg, "Optimal Schemes for Discrete
 * Distribution Estimation under Locally Differential Privacy", IEEE Trans. Inf. Theory 64(8), 2018; S. Wang
 * et al., 2016.
 */
import {
  checkParameter,
  domainUpTo,
  EPSILON0,
  from,
  integer,
  logBinomialCoefficient,
  modelOf,
  onDemand,
  optional,
  Real,
  requirePositive,
  sampleBinomial,
  type AmplificationProfile,
  type CategoryCard,
  type FrequencyOracle,
  type Given,
} from '@shuffle-dp/core';
import { bitColumns, countRows, type BitColumns } from '../columns/bit-rows.ts';
import { interchangeableValues } from '../laws/interchangeable-values.ts';
import type { Atom } from '../laws/likelihood-atoms.ts';
import { localRatios } from '../laws/local-ratios.ts';
import { craftedSubsets } from './crafted-messages.ts';
import {
  frequencyEstimator,
  SUPPORT_FORMULA,
  totalUsers,
  type CategoryParameters,
} from './pure-frequency-protocol.ts';
import { drawListedSubsets, listSubsets } from './small-subsets.ts';
import { sampleSubsetCounts } from './subset-counts.ts';
import { SubsetDrawer } from '../columns/subset-rows.ts';
import type { TypedAtom } from '../laws/typed-inputs.ts';

export interface SubsetSelectionParameters extends CategoryParameters {
  /**
   * Size of the subsets, 1 to domain - 1; default the nearest to domain / (e^epsilon0 + 1), least local
   * error.
   */
  readonly subsetSize?: number;
}

export interface SubsetSelection extends FrequencyOracle<BitColumns> {
  readonly subsetSize: number;
}

const DOMAIN = domainUpTo(2 ** 16);
const SUBSET_SIZE = optional(
  integer(
    'subsetSize',
    from(1),
    from(({ domain }) => domain && domain - 1, 'domain - 1'),
    'categories in a message; default the best for one user',
  ),
);

export const SUBSET: CategoryCard = {
  name: 'subset',
  title: 'Subset selection',
  holds: 'a category',
  description: 'A random subset of the categories; subsets with the own category are likelier.',
  source: 'Ye and Barg, IEEE Transactions on Information Theory 2018',
  citation: 'ye2018',
  parameters: [EPSILON0, DOMAIN, SUBSET_SIZE],
  options: [SUBSET_SIZE],
  ratios: { p: 'e^epsilon0', beta: '(p - 1) C(d-2, k-1) / (p C(d-1, k-1) + C(d-1, k))', q: 'p' },
  estimator: `${SUPPORT_FORMULA} with ps = p k / (p k + d - k), ps' = ps (k-1)/(d-1) + (1-ps) k/(d-1)`,
  example: { epsilon0: 1, domain: 16, subsetSize: 4 },
  make: subsetSelection,
  model(given: Given<'epsilon0' | 'domain'>) {
    const oracle = subsetSelection(given);
    return modelOf(oracle, { ...given, subsetSize: oracle.subsetSize });
  },
};

/**
 * Subset selection, as a frequency oracle.
 *
 * @throws ParameterError
 * @example subsetSelection({ domain: 8, epsilon0: 1 }).supportProbability.own // 0.475367
 */
export function subsetSelection({
  domain,
  epsilon0,
  subsetSize,
}: SubsetSelectionParameters): SubsetSelection {
  checkParameter(DOMAIN, domain);
  requirePositive('epsilon0', epsilon0);
  const p = Real.exp(epsilon0);
  const k = subsetSize ?? Math.min(domain - 1, Math.max(1, Math.round(domain / (p + 1))));
  checkParameter(SUBSET_SIZE, k, { domain });
  // Divided by C(d, k): Z = (k/d) p + (1 - k/d).
  const share = k / domain;
  const normaliser = share * p + 1 - share;
  // By the odds against the own value, as 1 - own loses its digits at large budgets.
  const odds = ((domain - k) / k) * Real.exp(-epsilon0);
  const own = 1 / (1 + odds);
  const other = ((k - 1) / (domain - 1)) * own + (k / (domain - 1)) * (odds * own);
  const support = { own, other };
  /** Probability of holding the own value on top of what a uniform subset gives: (p - 1)/p of `own`. */
  const truthful = -Real.expm1(-epsilon0) * own;
  const logSubsets = logBinomialCoefficient(domain, k);
  const subsets = onDemand(() => listSubsets(domain, k));
  return Object.freeze({
    name: 'subset',
    epsilon0,
    domain,
    subsetSize: k,
    ...frequencyEstimator(support, odds * own),
    bitsPerMessage: logSubsets / Math.LN2,
    allocate: (users: number) => ({ columns: bitColumns(domain, users), count: 0 }),
    randomizeInto(values, messages, stream) {
      messages.count = values.length;
      const list = subsets();
      if (list !== undefined) {
        drawListedSubsets(list, values, own, messages.columns['w0']!, stream);
        return;
      }
      const drawer = new SubsetDrawer(domain, 1, messages.columns, stream);
      for (let i = 0; i < values.length; i++) {
        const holds = stream.next() < own;
        if (holds) drawer.add(values[i]!);
        drawer.addUniform(holds ? k - 1 : k, values, i, i + 1);
        drawer.write(i);
      }
    },
    supportCounts: ({ columns, count }) => countRows(columns, domain, count),
    jointSupportCounts: true,
    /** A subset is uniform, or else uniform among those with the own value: the exact joint law. */
    sampleSupportCounts(histogram, stream) {
      const sure = histogram.map((holders) => sampleBinomial(holders, truthful, stream));
      return sampleSubsetCounts(domain, k, totalUsers(histogram) - totalUsers(sure), sure, stream);
    },
    crafted: craftedSubsets(domain, k),
    logProbability(message, value) {
      const holds = (message[value >>> 5]! >>> (value & 31)) & 1;
      return (holds ? epsilon0 : 0) - Real.log(normaliser) - logSubsets;
    },
    amplification: () => profile(domain, k, epsilon0, normaliser),
  } satisfies SubsetSelection);
}

/** The share of all k-subsets of d that hold `inside` given elements and miss `outside` others. */
export function subsetShare(domain: number, k: number, inside: number, outside: number): number {
  let share = 1;
  for (let i = 0; i < inside; i++) share *= (k - i) / (domain - i);
  // A share that is zero already stays so.
  for (let i = 0; i < outside && share !== 0; i++) share *= (domain - k - i) / (domain - inside - i);
  return Math.max(0, share);
}

/**
 * (p, beta, q) of Wang et al. 2024, Table 2; atoms by which of the victim's values (and of a third) the
 * subset holds.
 */
function profile(domain: number, k: number, epsilon0: number, normaliser: number): AmplificationProfile {
  const p = Real.exp(epsilon0);
  const weight = (holds: number): number => (holds ? p : 1) / normaliser;
  const either = [1, 0] as const;
  const pair: Atom[] = [];
  const third: TypedAtom[] = [];
  for (const x0 of either) {
    for (const x1 of either) {
      const share = subsetShare(domain, k, x0 + x1, 2 - x0 - x1);
      pair.push([weight(x0) * share, weight(x1) * share, weight(0) * share]);
      for (const x of domain > 2 ? either : []) {
        const finer = subsetShare(domain, k, x0 + x1 + x, 3 - x0 - x1 - x);
        third.push([weight(x0) * finer, weight(x1) * finer, weight(x) * finer, weight(0) * finer]);
      }
    }
  }
  return {
    variationRatio: localRatios(epsilon0, (Real.expm1(epsilon0) / normaliser) * subsetShare(domain, k, 1, 1)),
    ...interchangeableValues({
      domain,
      // For two values every subset holds one of them, and the infimum over both inputs is still the smaller
      // weight. The blanket has the mass 1 / normaliser, and normaliser - 1 = (p - 1) k / d.
      silent: (Real.expm1(epsilon0) / normaliser) * (k / domain),
      pair,
      thirds: domain > 2 ? [['a third value', third]] : [],
    }),
  };
}
