/** From a mechanism's name and parameters to what accountants need of it. */
import {
  ParameterError,
  requirePositive,
  requireProbability,
  type AmplificationProfile,
  type Interval,
} from '@shuffle-dp/core';
import {
  ballsIntoBinsBound,
  cheuZhilyaevBound,
  epsilonAtDelta,
  type PublishedBound,
  type Target,
} from '@shuffle-dp/accounting';
import {
  coinsProfile,
  flippedBitsProfile,
  mixDumpProfile,
  setDivergence,
  setDivergenceUpper,
  uniformBinsProfile,
} from '@shuffle-dp/protocols';
import {
  blockHadamardResponse,
  clipLaplace,
  collision,
  duchiMechanism,
  gaussianMechanism,
  generalizedRandomizedResponse,
  generalMetricProfile,
  hadamardResponse,
  laplaceMechanism,
  lineLaplaceProfile,
  localHashing,
  optimizedUnaryEncoding,
  pckvGrr,
  piecewiseMechanism,
  planarLaplaceProfile,
  privUnit,
  sampledRappor,
  subsetExponential,
  subsetSelection,
  symmetricUnaryEncoding,
  vectorRandomizedResponse,
  wheel,
  type MetricPair,
} from '@shuffle-dp/randomizers';

export type ParameterValues = Readonly<Record<string, number>>;

export interface MechanismModel {
  /** Infinity where one message alone is not pure-DP. */
  readonly epsilon0: number;
  readonly amplification: AmplificationProfile;
  /** What its authors prove of this mechanism alone. */
  readonly original?: PublishedBound;
  /** Messages that published bounds count, for this many users. */
  readonly slots?: (users: number) => number;
  /** The certified bracket of this many rounds, where it does not come from the profile's blanket. */
  readonly certified?: (users: number, target: Target, rounds?: number) => Interval;
  /** Its upper end at one epsilon and round, much faster. */
  readonly certifiedUpper?: (users: number, epsilon: number) => number;
  /** Parameters in effect, defaults filled in. */
  readonly parameters: ParameterValues;
  /** What the bracket is about, where it is not the mechanism's own privacy. */
  readonly pairOnly?: boolean;
}

/** @throws ParameterError */
export function mechanismModel(name: string, given: ParameterValues): MechanismModel {
  const { epsilon0, domain, subsetSize, hashRange, dimensions } = given;
  const size = subsetSize === undefined ? {} : { subsetSize };
  switch (name) {
    case 'general':
      return generalModel(requirePositive('epsilon0', epsilon0!));
    case 'grr':
      return modelOf(generalizedRandomizedResponse({ epsilon0: epsilon0!, domain: domain! }), given);
    case 'binary-rr':
      return modelOf(symmetricUnaryEncoding({ epsilon0: epsilon0!, domain: domain! }), given);
    case 'oue':
      return modelOf(optimizedUnaryEncoding({ epsilon0: epsilon0!, domain: domain! }), given);
    case 'subset': {
      const oracle = subsetSelection({ epsilon0: epsilon0!, domain: domain!, ...size });
      return modelOf(oracle, { ...given, subsetSize: oracle.subsetSize });
    }
    case 'local-hash': {
      const range = hashRange === undefined ? {} : { hashRange };
      const oracle = localHashing({ epsilon0: epsilon0!, domain: domain ?? hashRange ?? 2, ...range });
      return modelOf(oracle, { ...given, hashRange: oracle.hashRange });
    }
    case 'hadamard':
      return hadamardModel(given);
    case 'metric-general':
      return metricModel(generalMetricProfile, given);
    case 'metric-laplace':
      return metricModel(lineLaplaceProfile, given);
    case 'planar-laplace':
      return metricModel(planarLaplaceProfile, given);
    case 'laplace':
      return modelOf(laplaceMechanism({ epsilon0: epsilon0! }), given);
    case 'clip-laplace':
      return modelOf(clipLaplace({ epsilon0: epsilon0! }), given);
    case 'duchi':
      return modelOf(duchiMechanism({ epsilon0: epsilon0! }), given);
    case 'piecewise':
      return modelOf(piecewiseMechanism({ epsilon0: epsilon0! }), given);
    case 'priv-unit': {
      // The cap's share of the sphere is all that counts, not the number of dimensions.
      const share = given['cap'] === undefined ? {} : { capArea: given['cap'] };
      const randomizer = privUnit({ epsilon0: epsilon0!, dimensions: dimensions ?? 2, ...share });
      return modelOf(randomizer, { ...given, cap: randomizer.capArea });
    }
    case 'gaussian':
      return modelOf(gaussianMechanism({ sigma: given['sigma']! }), given);
    case 'subset-exponential': {
      const parameters = { epsilon0: epsilon0!, domain: domain!, itemsPerUser: given['items']!, ...size };
      return modelOf(subsetExponential(parameters), given);
    }
    case 'wheel': {
      const arc = given['length'] === undefined ? {} : { length: given['length'] };
      const randomizer = wheel({ ...setsOf(given), ...arc });
      return modelOf(randomizer, { ...given, length: randomizer.length });
    }
    case 'collision': {
      const range = given['buckets'] === undefined ? {} : { buckets: given['buckets'] };
      const randomizer = collision({ ...setsOf(given), ...range });
      return modelOf(randomizer, { ...given, buckets: randomizer.buckets });
    }
    case 'sampled-rappor':
      return modelOf(sampledRappor(setsOf(given)), given);
    case 'pckv-grr': {
      const { itemsPerUser: pairsPerUser, ...rest } = setsOf(given);
      return modelOf(pckvGrr({ ...rest, pairsPerUser }), given);
    }
    case 'vector-rr':
      return vectorModel(given);
    case 'pure-dump':
      return blanketMessageModel(uniformBinsProfile(given['bins']!), given);
    case 'balls-into-bins': {
      const special = given['special'] ?? 1;
      const amplification = uniformBinsProfile(given['bins']!, special);
      const original = ballsIntoBinsBound(given['bins']! / special);
      return { ...blanketMessageModel(amplification, { ...given, special }), original };
    }
    case 'mix-dump':
      return blanketMessageModel(mixDumpProfile(given['flip']!, given['bins']!), given);
    case 'cheu-zhilyaev':
      return {
        ...blanketMessageModel(flippedBitsProfile(given['flip']!), given),
        original: cheuZhilyaevBound(given['flip']!),
      };
    case 'balcer-cheu':
      return blanketMessageModel(coinsProfile(given['coin']!), given);
    case 'poisson-blanket':
      return poissonBlanketModel(given);
    case 'variation-ratio': {
      const { p, beta, q } = given;
      return {
        epsilon0: Infinity,
        amplification: { variationRatio: { p: p!, beta: beta!, q: q! }, blanket: [], homogeneous: [] },
        parameters: given,
        pairOnly: true,
      };
    }
    default:
      throw new ParameterError('mechanism', name, 'one of those that `shuffle-dp mechanisms` lists');
  }
}

/** Bounds for local randomizers do not hold: what hides the victim is not made by one. */
function blanketMessageModel(
  amplification: AmplificationProfile,
  parameters: ParameterValues,
): MechanismModel {
  return { epsilon0: Infinity, amplification, parameters };
}

/** Without a domain the largest: users then may hold disjoint sets. */
function setsOf({ epsilon0, domain = 65_536, items }: ParameterValues): {
  epsilon0: number;
  domain: number;
  itemsPerUser: number;
} {
  return { epsilon0: epsilon0!, domain, itemsPerUser: items! };
}

interface Amplified {
  readonly epsilon0: number;
  amplification(): AmplificationProfile;
}

function modelOf(randomizer: Amplified, parameters: ParameterValues): MechanismModel {
  return { epsilon0: randomizer.epsilon0, amplification: randomizer.amplification(), parameters };
}

function hadamardModel(given: ParameterValues): MechanismModel {
  const { epsilon0, order, support, blocks } = given;
  if (!Number.isInteger(Math.log2(order!)) || order! < 4 || order! > 2 ** 20) {
    throw new ParameterError('order', order, `a power of two from 4 to ${2 ** 20}`);
  }
  const count = blocks ?? 1;
  if (!Number.isInteger(Math.log2(count)) || count > order! / 2)
    throw new ParameterError('blocks', blocks, `a power of two up to order / 2 = ${order! / 2}`);
  const favoured = order! / count / 2;
  if (support !== undefined && support !== favoured)
    throw new ParameterError('support', support, `order / (2 blocks) = ${favoured}`);
  const shown = { ...given, support: favoured, blocks: count };
  if (count === 1) return modelOf(hadamardResponse({ epsilon0: epsilon0!, domain: order! - 1 }), shown);
  // Every block has a row for each value but that of all ones.
  const values = count * (order! / count - 1);
  return modelOf(blockHadamardResponse({ epsilon0: epsilon0!, domain: values, blocks: count }), shown);
}

/** One pair of the victim's inputs. No epsilon exceeds the reach, which is what bounds for any randomizer are evaluated at. */
function metricModel(
  profileOf: (pair: MetricPair) => AmplificationProfile,
  { separation, reach = separation }: ParameterValues,
): MechanismModel {
  const pair = { separation: separation!, reach: reach! };
  return { epsilon0: pair.reach, amplification: profileOf(pair), parameters: pair };
}

function vectorModel(given: ParameterValues): MechanismModel {
  const { bits, keepProbability } = given;
  if (!(keepProbability! > 0.5 && keepProbability! < 1)) {
    throw new ParameterError('keepProbability', keepProbability, 'in (1/2, 1)');
  }
  const epsilon0 = bits! * Math.log(keepProbability! / (1 - keepProbability!));
  return modelOf(vectorRandomizedResponse({ dimensions: bits!, sampled: bits!, epsilon0 }), given);
}

/** Domains of randomized response whose lower bounds stand for the worst randomizer of a budget. */
const WITNESS_DOMAINS = [2, 3, 4, 8, 32, 1024];

/**
 * The worst randomizer is not known in full: from below it is at least as bad as randomized response over any domain, from
 * above the sound published bounds hold for all.
 */
function generalModel(epsilon0: number): MechanismModel {
  const p = Math.exp(epsilon0);
  return {
    epsilon0,
    amplification: {
      variationRatio: { p, beta: Math.tanh(epsilon0 / 2), q: p },
      blanket: [],
      homogeneous: WITNESS_DOMAINS.flatMap(
        (domain) => generalizedRandomizedResponse({ epsilon0, domain }).amplification().homogeneous,
      ),
    },
    parameters: { epsilon0 },
  };
}

/** One item of a user, hidden by Poisson counts: bracketed exactly (docs/soundness.md). */
function poissonBlanketModel(given: ParameterValues): MechanismModel {
  const rate = requireProbability('rate', given['rate']!);
  const blankets = requirePositive('blankets', given['blankets']!);
  const { domain } = given;
  if (!(rate > 0)) throw new ParameterError('rate', rate, 'in (0, 1]');
  if (!Number.isSafeInteger(domain) || domain! < 2)
    throw new ParameterError('domain', domain, 'an integer of at least 2');
  const coins = Math.ceil(blankets);
  return {
    epsilon0: Infinity,
    amplification: {
      variationRatio: { p: Infinity, beta: rate, q: Math.max(1, (domain! * rate * coins) / blankets) },
      blanket: [],
      homogeneous: [],
    },
    slots: (users) => users * coins + 1,
    // Rounds with independent blankets show what as many items in one round do.
    certified: (users, target, rounds = 1) => {
      const pair = { rate, blanketsPerItem: (users * blankets) / domain!, itemsChanged: rounds };
      return 'delta' in target
        ? epsilonAtDelta((epsilon) => setDivergence(pair, epsilon), target.delta, {
            relativeTolerance: 1e-8,
          })
        : setDivergence(pair, target.epsilon);
    },
    certifiedUpper: (users, epsilon) =>
      setDivergenceUpper({ rate, blanketsPerItem: (users * blankets) / domain!, itemsChanged: 1 }, epsilon),
    parameters: given,
  };
}
