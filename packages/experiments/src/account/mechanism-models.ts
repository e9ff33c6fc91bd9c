/** From a mechanism's name and parameters to what accountants need of it. */
import {
  exactly,
  interval,
  ParameterError,
  requireInteger,
  requirePositive,
  requireProbability,
  type AmplificationProfile,
  type Interval,
} from '@shuffle-dp/core';
import {
  ballsIntoBinsBound,
  cheuZhilyaevBound,
  epsilonAtDelta,
  vectorResponseBound,
  strongerClonePair,
  type PublishedBound,
  type Target,
} from '@shuffle-dp/accounting';
import {
  coinsProfile,
  flippedBitsProfile,
  mixDumpProfile,
  setDivergenceLower,
  setDivergenceUpper,
  uniformBinsProfile,
  type SetPair,
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
  privUnitProfile,
  sampledRappor,
  SMALLEST_CAP,
  subsetExponential,
  subsetSelection,
  symmetricUnaryEncoding,
  vectorResponseProfile,
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
  /** The atoms' others are messages that hide, not users: they hold none of the victim's inputs. */
  readonly othersHideOnly?: boolean;
}

/** By the names of `MECHANISMS`. */
const MODELS: Readonly<Record<string, (given: ParameterValues) => MechanismModel>> = {
  general: (given) => generalModel(requirePositive('epsilon0', given['epsilon0']!)),
  grr: (given) => modelOf(generalizedRandomizedResponse(categoriesOf(given)), given),
  'binary-rr': (given) => modelOf(symmetricUnaryEncoding(categoriesOf(given)), given),
  oue: (given) => modelOf(optimizedUnaryEncoding(categoriesOf(given)), given),
  subset: (given) => {
    const oracle = subsetSelection({ ...categoriesOf(given), ...subsetSizeOf(given) });
    return modelOf(oracle, { ...given, subsetSize: oracle.subsetSize });
  },
  'local-hash': (given) => {
    const { hashRange, domain = Math.max(2, hashRange ?? 2) } = given;
    const range = hashRange === undefined ? {} : { hashRange };
    const oracle = localHashing({ ...budgetOf(given), domain, ...range });
    return modelOf(oracle, { ...given, hashRange: oracle.hashRange });
  },
  hadamard: hadamardModel,
  'metric-general': (given) => metricModel(generalMetricProfile, given),
  'metric-laplace': (given) => metricModel(lineLaplaceProfile, given),
  'planar-laplace': (given) => metricModel(planarLaplaceProfile, given),
  laplace: (given) => modelOf(laplaceMechanism(budgetOf(given)), given),
  'clip-laplace': (given) => modelOf(clipLaplace(budgetOf(given)), given),
  duchi: (given) => modelOf(duchiMechanism(budgetOf(given)), given),
  piecewise: (given) => modelOf(piecewiseMechanism(budgetOf(given)), given),
  'priv-unit': privUnitModel,
  gaussian: (given) => modelOf(gaussianMechanism({ sigma: given['sigma']! }), given),
  'subset-exponential': (given) => {
    const sets = { ...categoriesOf(given), itemsPerUser: given['items']! };
    return modelOf(subsetExponential({ ...sets, ...subsetSizeOf(given) }), given);
  },
  wheel: (given) => {
    const arc = given['length'] === undefined ? {} : { length: given['length'] };
    const randomizer = wheel({ ...setsOf(given), ...arc });
    return modelOf(randomizer, { ...given, length: randomizer.length });
  },
  collision: (given) => {
    const range = given['buckets'] === undefined ? {} : { buckets: given['buckets'] };
    const randomizer = collision({ ...setsOf(given), ...range });
    return modelOf(randomizer, { ...given, buckets: randomizer.buckets });
  },
  'sampled-rappor': (given) => modelOf(sampledRappor(setsOf(given)), given),
  'pckv-grr': (given) => {
    const { itemsPerUser: pairsPerUser, ...rest } = setsOf(given);
    return modelOf(pckvGrr({ ...rest, pairsPerUser }), given);
  },
  'vector-rr': vectorModel,
  'pure-dump': (given) => blanketMessageModel(uniformBinsProfile(given['bins']!), given),
  'balls-into-bins': (given) => {
    const special = given['special'] ?? 1;
    const amplification = uniformBinsProfile(given['bins']!, special);
    const original = ballsIntoBinsBound(given['bins']! / special);
    return { ...blanketMessageModel(amplification, { ...given, special }), original };
  },
  'mix-dump': (given) => blanketMessageModel(mixDumpProfile(given['flip']!, given['bins']!), given),
  'cheu-zhilyaev': (given) => ({
    ...blanketMessageModel(flippedBitsProfile(given['flip']!), given),
    original: cheuZhilyaevBound(given['flip']!),
  }),
  'balcer-cheu': (given) => blanketMessageModel(coinsProfile(given['coin']!), given),
  'poisson-blanket': poissonBlanketModel,
  'variation-ratio': (given) => {
    const { p, beta, q } = given;
    return {
      epsilon0: Infinity,
      amplification: { variationRatio: { p: p!, beta: beta!, q: q! }, blanket: [], homogeneous: [] },
      parameters: given,
      pairOnly: true,
    };
  },
};

/** @throws ParameterError */
export function mechanismModel(name: string, given: ParameterValues): MechanismModel {
  const model = Object.hasOwn(MODELS, name) ? MODELS[name] : undefined;
  if (model === undefined)
    throw new ParameterError('mechanism', name, 'one of those that `shuffle-dp mechanisms` lists');
  return model(given);
}

function budgetOf({ epsilon0 }: ParameterValues): { epsilon0: number } {
  return { epsilon0: epsilon0! };
}

function categoriesOf({ epsilon0, domain }: ParameterValues): { epsilon0: number; domain: number } {
  return { epsilon0: epsilon0!, domain: domain! };
}

function subsetSizeOf({ subsetSize }: ParameterValues): { subsetSize?: number } {
  return subsetSize === undefined ? {} : { subsetSize };
}

/** Bounds for local randomizers do not hold: what hides the victim is not made by one. */
function blanketMessageModel(
  amplification: AmplificationProfile,
  parameters: ParameterValues,
): MechanismModel {
  return { epsilon0: Infinity, amplification, parameters, othersHideOnly: true };
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

/** The cap's share of the sphere is what counts; the dimensions choose one, and tell whether three caps fit apart. */
function privUnitModel(given: ParameterValues): MechanismModel {
  const { epsilon0, dimensions = 2 } = given;
  const cap = given['cap'] ?? privUnit({ epsilon0: epsilon0!, dimensions }).capArea;
  if (!(cap >= SMALLEST_CAP && cap <= 0.5)) throw new ParameterError('cap', cap, `in [${SMALLEST_CAP}, 1/2]`);
  requirePositive('epsilon0', epsilon0!);
  return {
    epsilon0: epsilon0!,
    amplification: privUnitProfile(cap, epsilon0!, dimensions),
    parameters: { ...given, cap },
  };
}

function vectorModel(given: ParameterValues): MechanismModel {
  const { bits, keepProbability } = given;
  if (!(keepProbability! > 0.5 && keepProbability! < 1)) {
    throw new ParameterError('keepProbability', keepProbability, 'in (1/2, 1)');
  }
  // Both differences are exact, and the logarithm keeps its digits where the ratio is near 1.
  const epsilon0 = bits! * Math.log1p((2 * keepProbability! - 1) / (1 - keepProbability!));
  requireInteger('bits', bits!, 1, 32);
  // Not by way of the budget, whose rounding would be that of another probability.
  const amplification = vectorResponseProfile(bits!, bits!, epsilon0, keepProbability!, 1 - keepProbability!);
  const original = vectorResponseBound({ sampled: bits!, keep: keepProbability! });
  return { epsilon0, amplification, parameters: given, original };
}

/** Domains of randomized response whose lower bounds stand for the worst randomizer of a budget. */
const WITNESS_DOMAINS = [2, 3, 4, 8, 32, 1024];

/**
 * The worst randomizer is not known in full: from below it is at least as bad as randomized response over any domain, from
 * above the sound published bounds hold for all.
 */
function generalModel(epsilon0: number): MechanismModel {
  return {
    epsilon0,
    amplification: {
      variationRatio: strongerClonePair(epsilon0),
      blanket: [],
      homogeneous: WITNESS_DOMAINS.flatMap(
        (domain) => generalizedRandomizedResponse({ epsilon0, domain }).amplification().homogeneous,
      ),
    },
    parameters: { epsilon0 },
  };
}

/**
 * One item of a user, hidden by Poisson counts. From above the theorem of docs/sets.md, whatever the others hold; from below the worst
 * of the data sets that are tried. Both are one where others can hold a third item, or send theirs for sure.
 */
function poissonBlanketModel(given: ParameterValues): MechanismModel {
  const rate = requireProbability('rate', given['rate']!);
  const blankets = requirePositive('blankets', given['blankets']!);
  const { domain } = given;
  if (!(rate > 0)) throw new ParameterError('rate', rate, 'in (0, 1]');
  if (!Number.isSafeInteger(domain) || domain! < 2)
    throw new ParameterError('domain', domain, 'an integer of at least 2');
  const coins = Math.ceil(blankets);
  const pairFor = (users: number, rounds = 1): SetPair => ({
    rate,
    blanketsPerItem: (users * blankets) / domain!,
    // Rounds with independent blankets show what as many items in one round do.
    itemsChanged: rounds,
  });
  const divergence = (users: number, rounds: number) => {
    const pair = pairFor(users, rounds);
    const dataSets = othersOf(users, domain!, rate).map((holders) =>
      holders === null ? pair : { ...pair, holders },
    );
    return (epsilon: number): Interval =>
      interval(
        Math.max(...dataSets.map((shown) => setDivergenceLower(shown, epsilon))),
        setDivergenceUpper(pair, epsilon),
      );
  };
  const q = Math.max(1, (domain! * rate * coins) / blankets);
  // Where every blanket names one of the two items, nothing hides that the victim's was not sent: the theorem has no such pair.
  const covered = rate < 1 && 2 * rate >= q;
  return {
    epsilon0: Infinity,
    amplification: {
      variationRatio: covered ? null : { p: Infinity, beta: rate, q },
      blanket: [],
      homogeneous: [],
    },
    slots: (users) => users * coins + 1,
    certified: (users, target, rounds = 1) => {
      const at = divergence(users, rounds);
      if (!('delta' in target)) return at(target.epsilon);
      // Poisson counts have no largest value, and every one more is likelier if the item was sent.
      if (target.delta === 0) return exactly(Infinity);
      return epsilonAtDelta(at, target.delta, { relativeTolerance: 1e-8 });
    },
    certifiedUpper: (users, epsilon) => setDivergenceUpper(pairFor(users), epsilon),
    parameters: given,
  };
}

/**
 * What the other users hold of the victim's two items, in the data sets that are tried; null for neither. With two items in all others hold
 * one or the other: all the old one, all the new one, or half of each.
 */
function othersOf(users: number, domain: number, rate: number): (Required<SetPair>['holders'] | null)[] {
  const others = users - 1;
  if (domain > 2 || others === 0 || rate === 1) return [null];
  const half = Math.floor(others / 2);
  return [
    { old: others, new: 0, rate },
    { old: 0, new: others, rate },
    { old: half, new: others - half, rate },
  ];
}
