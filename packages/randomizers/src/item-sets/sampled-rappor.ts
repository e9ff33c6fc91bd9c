/**
 * Sampled RAPPOR for sets: the set is padded to a fixed size, one of its members is drawn, and a row of d
 * bits with a one for it, or none for padding, is sent with every bit flipped with probability
 * 1 / (1 + e^(epsilon0/2)). Z. Qin, Y. Yang, T. Yu, I. Khalil, X. Xiao, K. Ren, "Heavy Hitter Estimation over
 * Set-Valued Data with Local Differential Privacy", CCS 2016.
 */
import {
  checkParameter,
  domainUpTo,
  EPSILON0,
  from,
  integer,
  modelOf,
  optional,
  Real,
  requireInteger,
  requirePositive,
  type AmplificationProfile,
  type Given,
  type LikelihoodAtoms,
  type MechanismCard,
} from '@shuffle-dp/core';
import { bitColumns, countRows, fillRandomRows, wordsOf, type BitColumns } from '../columns/bit-rows.ts';
import { localRatios } from '../laws/local-ratios.ts';
import { SUPPORT_FORMULA } from '../categories/pure-frequency-protocol.ts';
import { randomBits } from '../columns/random-bits.ts';
import {
  rowAtoms,
  rowBlanket,
  rowVariation,
  thirdSetGroups,
  type ItemGroup,
  type RowLaw,
} from './row-atoms.ts';
import { setFrequencyEstimator, type SetFrequencyOracle } from './set-frequency-oracle.ts';

export interface SampledRapporParameters {
  /** Number of items that exist, up to 65536. */
  readonly domain: number;
  /** Items that every user holds, 1 to 256 and below the domain. */
  readonly items: number;
  /**
   * Budget in nats of the row of bits, positive; an upper bound of the local budget, which padding makes
   * smaller.
   */
  readonly epsilon0: number;
  /** Size to which sets are padded, items to domain; default the domain. */
  readonly paddedSize?: number;
}

export interface SampledRappor extends SetFrequencyOracle<BitColumns> {
  readonly paddedSize: number;
}

const DOMAIN = domainUpTo(2 ** 16, 'number of items');
/** Beyond, sums over the own bits that are set take too long. */
const MOST_OWN_ITEMS = 256;

const PADDED_SIZE = optional(
  integer(
    'paddedSize',
    from(({ items }) => items, 'items'),
    from(({ domain }) => domain, 'domain'),
    'number of items to which a set is padded before one is drawn; in protocols it is `items`; default the domain',
  ),
);

export const SAMPLED_RAPPOR: MechanismCard = {
  name: 'sampled-rappor',
  title: 'Sampled RAPPOR',
  holds: 'a set of items',
  description: 'One item, drawn from the padded set, by symmetric unary encoding.',
  source: 'Qin et al., CCS 2016',
  citation: 'qin2016',
  parameters: [
    EPSILON0,
    DOMAIN,
    integer(
      'items',
      from(1),
      from(
        ({ domain }) => domain && Math.min(MOST_OWN_ITEMS, domain - 1),
        `min(${MOST_OWN_ITEMS}, domain - 1)`,
      ),
      'items a user',
    ),
    PADDED_SIZE,
  ],
  ratios: {
    p: 'e^epsilon0',
    beta: 'the total variation between the laws of two disjoint sets',
    q: 'p',
    printedBeta: '(s/d) (e^(epsilon0/2) - 1) / (e^(epsilon0/2) + 1)',
  },
  estimator: `${SUPPORT_FORMULA} with the probabilities ps, ps' that the bit of an own and of another item is sent`,
  example: { epsilon0: 1, domain: 32, items: 4 },
  model: (given: Given<'epsilon0' | 'domain' | 'items'>) => modelOf(sampledRappor(given), given),
};

/**
 * Sampled RAPPOR for sets, with its unbiased estimator.
 *
 * @throws ParameterError
 * @example sampledRappor({ domain: 8, epsilon0: 1, items: 2 }).supportProbability.own // 0.408156
 */
export function sampledRappor(parameters: SampledRapporParameters): SampledRappor {
  const { domain, items, epsilon0, paddedSize = domain } = parameters;
  checkParameter(DOMAIN, domain);
  requireInteger('items', items, 1, Math.min(MOST_OWN_ITEMS, domain - 1));
  requirePositive('epsilon0', epsilon0);
  requireInteger('paddedSize', paddedSize, items, domain);
  const flip = 1 / (1 + Real.exp(epsilon0 / 2));
  const sampled = 1 / paddedSize;
  const support = { own: flip + Real.tanh(epsilon0 / 4) * sampled, other: flip };
  return Object.freeze({
    name: 'sampled-rappor',
    epsilon0,
    domain,
    items,
    paddedSize,
    ...setFrequencyEstimator(support),
    bitsPerMessage: domain,
    allocate: (users: number) => ({ columns: bitColumns(domain, users), count: 0 }),
    randomizeInto({ users, rows }, messages, stream) {
      fillRandomRows(messages.columns, domain, users, flip, stream);
      const columns = wordsOf(messages.columns, domain);
      const keep = randomBits(1 - flip, stream);
      for (let user = 0; user < users; user++) {
        const place = stream.integerBelow(paddedSize);
        if (place >= items) continue;
        const item = rows[user * items + place]!;
        const column = columns[item >>> 5]!;
        const bit = 1 << (item & 31);
        column[user] = keep() ? column[user]! | bit : column[user]! & ~bit;
      }
      messages.count = users;
    },
    supportCounts: ({ columns, count }) => countRows(columns, domain, count),
    logProbability(message, set) {
      let background = 0;
      let held = 0;
      for (let v = 0; v < domain; v++) {
        const one = ((message[v >>> 5]! >>> (v & 31)) & 1) === 1;
        background += Real.log(one ? flip : 1 - flip);
        if (one && set.includes(v)) held++;
      }
      return background + Real.log(setFactor(held, items, paddedSize, epsilon0));
    },
    amplification: () => profile(domain, items, paddedSize, epsilon0),
  } satisfies SampledRappor);
}

/**
 * Likelihood of a row against a row of flips alone, when `held` of `seen` of the set's items have a one and
 * the bits of its other items are not looked at.
 */
function setFactor(held: number, seen: number, paddedSize: number, epsilon0: number): number {
  const unseen = paddedSize - seen;
  return (unseen + held * Real.exp(epsilon0 / 2) + (seen - held) * Real.exp(-epsilon0 / 2)) / paddedSize;
}

/**
 * Atoms by the numbers of ones among the items of the victim's two sets. Disjoint sets are the worst pair: of
 * a common item the loss is 1 - e^epsilon times one bit's likelihood, which is below the loss of two
 * different ones in convex order. The printed beta of Wang et al. 2024 bounds the total variation, with
 * equality for one item. The blanket takes rows with a zero for all items of some set; of the few other rows
 * it takes less than there is.
 */
function profile(domain: number, items: number, paddedSize: number, epsilon0: number): AmplificationProfile {
  const law: RowLaw = { epsilon0, paddedSize };
  const disjoint = {
    ...rowBlanket('two disjoint sets', victimsAlone(items), law),
    // What the blanket leaves of 1.
    silent: (items / paddedSize) * -Real.expm1(-epsilon0 / 2),
  };
  const printed = (items / paddedSize) * Real.tanh(epsilon0 / 4);
  return {
    variationRatio: localRatios(epsilon0, Math.min(printed, rowVariation(victimsAlone(items), law))),
    printedVariationRatio: localRatios(epsilon0, printed),
    blanket: [disjoint],
    homogeneous: equalData(domain, items, law),
  };
}

/** Of data sets that need more atoms some bits are not looked at, which is a coarser output. */
const MOST_ATOMS = 1024;

/** The victim's sets are as disjoint as the domain allows. */
function equalData(domain: number, size: number, law: RowLaw): LikelihoodAtoms[] {
  const common = Math.max(0, 2 * size - domain);
  const apart = size - common;
  const own: ItemGroup[] = [
    { count: apart, first: true, second: false, others: true },
    { count: apart, first: false, second: true, others: false },
  ];
  const both = { count: common, first: true, second: true, others: true };
  const first = rowAtoms(
    "all others hold the victim's first set",
    (apart + 1) ** 2 * (common + 1) > MOST_ATOMS ? own : [...own, both],
    law,
  );
  const third = thirdSet(domain, size, law);
  return third ? [third, first] : [first];
}

function thirdSet(domain: number, size: number, law: RowLaw): LikelihoodAtoms | null {
  const isDisjoint = 3 * size <= domain;
  const label = isDisjoint
    ? 'all others hold a third, disjoint set'
    : 'all others hold a third set, half like each of the victim';
  const classes = Math.floor(MOST_ATOMS / (size + 1) ** 2);
  if (classes < 1) return isDisjoint ? rowAtoms(label, victimsAlone(size), law) : null;
  const groups = thirdSetGroups(domain, size);
  return groups === null ? null : rowAtoms(label, groups, law, classes);
}

/** Disjoint sets; what is held by others is not looked at. */
function victimsAlone(size: number): ItemGroup[] {
  return [
    { count: size, first: true, second: false, others: false },
    { count: size, first: false, second: true, others: false },
  ];
}
