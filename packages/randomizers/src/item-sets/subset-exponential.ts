/**
 * The subset exponential mechanism for sets (PrivSet): a user with s items sends a random k-subset of the
 * domain, one that meets the own set e^epsilon0 times as likely as one that does not. S. Wang et al.,
 * "PrivSet: Set-Valued Data Analyses with Local Differential Privacy", INFOCOM 2018.
 */
import {
  aliasTable,
  checkParameter,
  domainUpTo,
  EPSILON0,
  from,
  integer,
  logBinomialCoefficient,
  modelOf,
  onDemand,
  optional,
  ParameterError,
  Real,
  requireInteger,
  requirePositive,
  type AmplificationProfile,
  type Given,
  type MechanismCard,
  type RandomStream,
  type SetValuedData,
} from '@shuffle-dp/core';
import { bitColumns, countRows, type BitColumns } from '../columns/bit-rows.ts';
import { likelihoodAtoms, type Atom } from '../laws/likelihood-atoms.ts';
import { localRatios } from '../laws/local-ratios.ts';
import { profileOnDemand } from '../laws/profile-on-demand.ts';
import { SUPPORT_FORMULA, type SupportProbability } from '../categories/pure-frequency-protocol.ts';
import { bestSubsetSize, supportLaw } from './best-subset-size.ts';
import { ITEMS, type HashedSetParameters } from './hashed-set.ts';
import { apartMetShare, bothMetShare, metShare, missedShare } from '../laws/missed-share.ts';
import { holdItems, JointSupport } from './joint-support.ts';
import { ownItemGroups } from './own-item-groups.ts';
import { setFrequencyEstimator, type SetFrequencyOracle } from './set-frequency-oracle.ts';
import { SubsetDrawer } from '../columns/subset-rows.ts';
import { MOST_TYPED_ITEMS, typedSets } from './typed-sets.ts';

export interface SubsetExponentialParameters extends HashedSetParameters {
  /** Size of the subsets sent, 1 to domain - items; default the one with the least sum of variances. */
  readonly subsetSize?: number;
}

/** Messages are subsets as rows of bits. */
export interface SubsetExponential extends SetFrequencyOracle<BitColumns> {
  readonly subsetSize: number;
  /**
   * Draws all counts from their joint law, without messages or shuffling. It depends on how often each whole
   * set occurs: where users are only counted the cost follows the sets that are held, else the users.
   *
   * @throws ParameterError for data that say neither
   */
  sampleJointSupport(data: SetValuedData, stream: RandomStream): Float64Array;
}

const DOMAIN = domainUpTo(2 ** 16, 'number of items');

export const SUBSET_EXPONENTIAL: MechanismCard = {
  name: 'subset-exponential',
  title: 'Subset exponential mechanism',
  holds: 'a set of items',
  description: 'A random subset of the items; subsets with an own item are likelier. Users hold sets.',
  source: 'Wang et al., INFOCOM 2018 (PrivSet)',
  citation: 'wang2018',
  parameters: [
    EPSILON0,
    DOMAIN,
    ITEMS,
    optional(
      integer(
        'subsetSize',
        from(1),
        from(({ domain, items }) => domain && items && domain - items, 'domain - items'),
        'items in a message; default the best for one user',
      ),
    ),
  ],
  ratios: {
    p: 'e^epsilon0',
    beta: '(p - 1) (C(d-s, k) - C(d-2s, k)) / (p (C(d, k) - C(d-s, k)) + C(d-s, k))',
    q: 'p',
  },
  estimator: `${SUPPORT_FORMULA} with the probabilities ps, ps' that an own and another item is sent`,
  example: { epsilon0: 1, domain: 32, items: 4, subsetSize: 3 },
  model: (given: Given<'epsilon0' | 'domain' | 'items'>) => modelOf(subsetExponential(given), given),
};

/**
 * The subset exponential mechanism for sets, with its unbiased estimator.
 *
 * @throws ParameterError
 * @example subsetExponential({ domain: 8, epsilon0: 1, items: 2 }).supportProbability.own // 0.237683
 */
export function subsetExponential(parameters: SubsetExponentialParameters): SubsetExponential {
  const { domain, items, epsilon0 } = parameters;
  checkParameter(DOMAIN, domain);
  requireInteger('items', items, 1, domain - 1);
  requirePositive('epsilon0', epsilon0);
  const k = parameters.subsetSize ?? bestSubsetSize(domain, items, epsilon0);
  requireInteger('subsetSize', k, 1, domain - items);
  const law = subsetLaw(domain, items, k, epsilon0);
  const logSubsets = logBinomialCoefficient(domain, k);
  const groups = onDemand(() => (k === 1 ? ownItemGroups(items, law.truthful) : []));
  return Object.freeze({
    name: 'subset-exponential',
    epsilon0,
    domain,
    items,
    subsetSize: k,
    ...setFrequencyEstimator(law.support),
    bitsPerMessage: logSubsets / Math.LN2,
    allocate: (users: number) => ({ columns: bitColumns(domain, users), count: 0 }),
    randomizeInto(data, messages, stream) {
      const drawer = new SubsetDrawer(domain, items, messages.columns, stream);
      const common = aliasTable(law.common);
      const held = new Uint32Array(items);
      for (let user = 0; user < data.users; user++) {
        const j = common.sample(stream);
        holdItems(held, data.rows, user * items, j, stream);
        for (let i = 0; i < j; i++) drawer.add(held[i]!);
        drawer.addUniform(k - j, held, 0, items);
        drawer.write(user);
      }
      messages.count = data.users;
    },
    sampleJointSupport({ users, rows, counts }, stream) {
      const draws = { domain, items, subsetSize: k, ...law, groups: groups() };
      const support = new JointSupport(draws, users, stream);
      if (counts?.sets) support.addHolders(counts.sets);
      else if (rows) support.addUsers(users, rows);
      else throw new ParameterError('data.rows', 'nothing', "every user's set, or how many hold each");
      return support.finish();
    },
    supportCounts: ({ columns, count }) => countRows(columns, domain, count),
    logProbability(message, set) {
      const meets = set.some((item) => (message[item >>> 5]! >>> (item & 31)) & 1);
      return (meets ? epsilon0 : 0) - Real.log(law.normaliser) - logSubsets;
    },
    amplification: () => profile(domain, items, k, epsilon0, law),
  } satisfies SubsetExponential);
}

interface SubsetLaw {
  /** The normaliser Omega of the paper divided by C(d, k). */
  readonly normaliser: number;
  readonly support: SupportProbability;
  /** Probability that the message holds j of the own items. */
  readonly common: Float64Array;
  /** Probability of meeting the own set on top of what a uniform subset gives. */
  readonly truthful: number;
}

function subsetLaw(domain: number, s: number, k: number, epsilon0: number): SubsetLaw {
  const p = Real.exp(epsilon0);
  const support = supportLaw(domain, s, k, epsilon0);
  const normaliser = p * metShare(domain, k, s) + missedShare(domain, k, s);
  const common = new Float64Array(s + 1);
  const logAll = logBinomialCoefficient(domain, k);
  for (let j = Math.max(0, k - (domain - s)); j <= Math.min(s, k); j++) {
    const share = Real.exp(logBinomialCoefficient(s, j) + logBinomialCoefficient(domain - s, k - j) - logAll);
    common[j] = ((j === 0 ? 1 : p) * share) / normaliser;
  }
  return {
    normaliser,
    support,
    common,
    truthful: (Real.expm1(epsilon0) * metShare(domain, k, s)) / normaliser,
  };
}

/**
 * Atoms by whether the subset meets each of the victim's two sets, and, for a lower bound, a third disjoint
 * one. Sets as different as the domain allows are the worst pair: any overlap moves equal masses from "only
 * the first" and "only the second" to "both" and "neither", where the privacy losses have the same sum and
 * lie closer together.
 */
function profile(
  domain: number,
  s: number,
  k: number,
  epsilon0: number,
  { normaliser, truthful }: SubsetLaw,
): AmplificationProfile {
  const p = Real.exp(epsilon0);
  const miss = (items: number): number => missedShare(domain, k, items);
  const overlap = Math.max(0, 2 * s - domain);
  const weight = (meets: boolean): number => (meets ? p : 1) / normaliser;
  // What misses one set may meet what the other one has beside it: no difference of shares, whose digits
  // would be lost.
  const onlyFirst = miss(s) * metShare(domain - s, k, s - overlap);
  const neither = miss(2 * s - overlap);
  const both = bothMetShare(domain, k, s, overlap);
  // Some subset meets one of them only, however few do: from above the share is not nothing.
  const onlyFirstAtMost = Math.max(onlyFirst, Number.MIN_VALUE);
  const cells = (one: number, others: (first: boolean, second: boolean) => number): Atom[] => [
    [weight(true) * one, weight(false) * one, others(true, false) * one],
    [weight(false) * one, weight(true) * one, others(false, true) * one],
    [weight(true) * both, weight(true) * both, others(true, true) * both],
    [weight(false) * neither, weight(false) * neither, others(false, false) * neither],
  ];
  // Some set misses any given k-subset, because k <= d - s.
  const floor = weight(false);
  return profileOnDemand(localRatios(epsilon0, (Real.expm1(epsilon0) / normaliser) * onlyFirstAtMost), {
    blanket: () => [
      likelihoodAtoms(
        'two sets as different as the domain allows',
        cells(onlyFirstAtMost, () => floor),
        true,
        // 1 - floor.
        truthful,
      ),
    ],
    homogeneous: () => [
      ...(3 * s <= domain
        ? [likelihoodAtoms('all others hold a third, disjoint set', thirdSet(domain, s, k, weight))]
        : []),
      likelihoodAtoms(
        "all others hold the victim's first set",
        cells(onlyFirst, (first) => weight(first)),
        false,
      ),
    ],
    ...(s <= MOST_TYPED_ITEMS && { typed: () => typedSets(domain, s, k, weight) }),
  });
}

/** Atoms of three disjoint sets, by which of them the subset meets. */
function thirdSet(domain: number, s: number, k: number, weight: (meets: boolean) => number): Atom[] {
  const miss = (items: number): number => missedShare(domain, k, items);
  // By how many of the sets are missed.
  const missedExactly = [
    apartMetShare(domain, k, s, 3),
    miss(s) * bothMetShare(domain - s, k, s, 0),
    miss(2 * s) * metShare(domain - 2 * s, k, s),
    miss(3 * s),
  ];
  const atoms: Atom[] = [];
  for (const a of [true, false]) {
    for (const b of [true, false]) {
      for (const c of [true, false]) {
        const mass = Math.max(0, missedExactly[Number(!a) + Number(!b) + Number(!c)]!);
        atoms.push([weight(a) * mass, weight(b) * mass, weight(c) * mass]);
      }
    }
  }
  return atoms;
}
