/**
 * Sampled RAPPOR for sets: the set is padded to a fixed size, one of its members is drawn, and a row of d bits with a one for
 * it, or none for padding, is sent with every bit flipped with probability 1 / (1 + e^(epsilon0/2)). Z. Qin, Y. Yang, T. Yu,
 * I. Khalil, X. Xiao, K. Ren, "Heavy Hitter Estimation over Set-Valued Data with Local Differential Privacy", CCS 2016.
 */
import {
  binomialPmf,
  checkParameter,
  domainUpTo,
  EACH_USER,
  EPSILON0,
  from,
  integer,
  modelOf,
  requireInteger,
  requirePositive,
  type AmplificationProfile,
  type Given,
  type LikelihoodAtoms,
  type MechanismCard,
} from '@shuffle-dp/core';
import { bitColumns, countRows, fillRandomRows, wordsOf, type BitColumns } from '../columns/bit-rows.ts';
import { likelihoodAtoms, type Atom } from '../laws/likelihood-atoms.ts';
import { localRatios } from '../laws/local-ratios.ts';
import { SUPPORT_FORMULA } from '../categories/pure-frequency-protocol.ts';
import { randomBits } from '../columns/random-bits.ts';
import { setFrequencyEstimator, type SetFrequencyOracle } from './set-frequency-oracle.ts';

export interface SampledRapporParameters {
  /** Number of items that exist, up to 65536. */
  readonly domain: number;
  /** Items that every user holds, 1 to 256 and below the domain. */
  readonly itemsPerUser: number;
  /** Budget in nats of the row of bits, positive; an upper bound of the local budget, which padding makes smaller. */
  readonly epsilon0: number;
  /** Size to which sets are padded, itemsPerUser to domain; default the domain. */
  readonly paddedSize?: number;
}

export interface SampledRappor extends SetFrequencyOracle<BitColumns> {
  readonly paddedSize: number;
}

const DOMAIN = domainUpTo(2 ** 16, 'number of items');
/** Beyond, sums over the own bits that are set take too long. */
const MOST_OWN_ITEMS = 256;

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
  ],
  usersMean: EACH_USER,
  ratios: { p: 'e^epsilon0', beta: '(s/d) (e^(epsilon0/2) - 1) / (e^(epsilon0/2) + 1)', q: 'p' },
  estimator: `${SUPPORT_FORMULA} with the probabilities ps, ps' that the bit of an own and of another item is sent`,
  example: { epsilon0: 1, domain: 32, items: 4 },
  model: (given: Given<'epsilon0' | 'domain' | 'items'>) =>
    modelOf(sampledRappor({ ...given, itemsPerUser: given.items }), given),
};

/** @throws ParameterError */
export function sampledRappor(parameters: SampledRapporParameters): SampledRappor {
  const { domain, itemsPerUser, epsilon0, paddedSize = domain } = parameters;
  checkParameter(DOMAIN, domain);
  requireInteger('itemsPerUser', itemsPerUser, 1, Math.min(MOST_OWN_ITEMS, domain - 1));
  requirePositive('epsilon0', epsilon0);
  requireInteger('paddedSize', paddedSize, itemsPerUser, domain);
  const flip = 1 / (1 + Math.exp(epsilon0 / 2));
  const sampled = 1 / paddedSize;
  const support = { own: flip + Math.tanh(epsilon0 / 4) * sampled, other: flip };
  return Object.freeze({
    name: 'sampled-rappor',
    epsilon0,
    domain,
    itemsPerUser,
    paddedSize,
    ...setFrequencyEstimator(support),
    bitsPerMessage: domain,
    allocate: (users: number) => ({ columns: bitColumns(domain, users), count: 0 }),
    randomizeInto({ users, items }, messages, stream) {
      fillRandomRows(messages.columns, domain, users, flip, stream);
      const columns = wordsOf(messages.columns, domain);
      const keep = randomBits(1 - flip, stream);
      for (let user = 0; user < users; user++) {
        const place = stream.integerBelow(paddedSize);
        if (place >= itemsPerUser) continue;
        const item = items[user * itemsPerUser + place]!;
        const column = columns[item >>> 5]!;
        const bit = 1 << (item & 31);
        column[user] = keep() ? column[user]! | bit : column[user]! & ~bit;
      }
      messages.count = users;
    },
    supportCounts: ({ columns, count }) => countRows(columns, domain, count),
    logProbability(message, items) {
      let background = 0;
      let held = 0;
      for (let v = 0; v < domain; v++) {
        const one = ((message[v >>> 5]! >>> (v & 31)) & 1) === 1;
        background += Math.log(one ? flip : 1 - flip);
        if (one && items.includes(v)) held++;
      }
      return background + Math.log(setFactor(held, itemsPerUser, paddedSize, epsilon0));
    },
    amplification: () => profile(domain, itemsPerUser, paddedSize, epsilon0),
  } satisfies SampledRappor);
}

/**
 * Likelihood of a row against a row of flips alone, when `held` of `seen` of the set's items have a one and the bits of its
 * other items are not looked at.
 */
function setFactor(held: number, seen: number, paddedSize: number, epsilon0: number): number {
  const unseen = paddedSize - seen;
  return (unseen + held * Math.exp(epsilon0 / 2) + (seen - held) * Math.exp(-epsilon0 / 2)) / paddedSize;
}

/**
 * Atoms by the numbers of ones among the items of the victim's two sets. Disjoint sets are the worst pair: of a common item
 * the loss is 1 - e^epsilon times one bit's likelihood, which is below the loss of two different ones in convex order.
 * The printed beta of Wang et al. 2024 bounds the total variation, with equality for one item. The blanket takes rows with a zero for all
 * items of some set; of the few other rows it takes less than there is.
 */
function profile(
  domain: number,
  itemsPerUser: number,
  paddedSize: number,
  epsilon0: number,
): AmplificationProfile {
  const least = setFactor(0, itemsPerUser, paddedSize, epsilon0);
  const atoms = (
    label: string,
    seen: number,
    others: (first: number) => number,
    symmetric: boolean,
    silent?: number,
  ): LikelihoodAtoms => {
    const flip = 1 / (1 + Math.exp(epsilon0 / 2));
    const ones = Array.from({ length: seen + 1 }, (_, k) => binomialPmf(k, seen, flip));
    const factors = ones.map((_, k) => setFactor(k, seen, paddedSize, epsilon0));
    return likelihoodAtoms(
      label,
      ones.flatMap((a, i) =>
        ones.map((b, j): Atom => [a * b * factors[i]!, a * b * factors[j]!, a * b * others(factors[i]!)]),
      ),
      symmetric,
      silent,
    );
  };
  /** Items of either of the victim's sets that the other need not have. */
  const different = Math.min(itemsPerUser, domain - itemsPerUser);
  // 1 - least.
  const silent = (itemsPerUser / paddedSize) * -Math.expm1(-epsilon0 / 2);
  const disjoint = atoms('two disjoint sets', itemsPerUser, () => least, true, silent);
  const printed = (itemsPerUser / paddedSize) * Math.tanh(epsilon0 / 4);
  return {
    variationRatio: localRatios(epsilon0, Math.min(printed, totalVariation(disjoint))),
    printedVariationRatio: localRatios(epsilon0, printed),
    blanket: [disjoint],
    homogeneous: [
      ...(3 * itemsPerUser <= domain
        ? [atoms('all others hold a third, disjoint set', itemsPerUser, () => 1, true)]
        : []),
      atoms("all others hold the victim's first set", different, (first) => first, false),
    ],
  };
}

/** Of the victim's two laws: a sum of what the first has more. */
function totalVariation({ victim0, victim1 }: LikelihoodAtoms): number {
  return victim0.reduce((sum, mass, i) => sum + Math.max(0, mass - victim1[i]!), 0);
}
