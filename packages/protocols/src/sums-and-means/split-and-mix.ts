/**
 * Mean of numbers by split and mix: every user rounds the own number to whole steps, adds a share of discrete
 * Laplace noise, and cuts the result into shares that add up to it modulo q; the shuffled shares tell next to
 * nothing but their sum. Y. Ishai, E. Kushilevitz, R. Ostrovsky, A. Sahai, 2006; B. Balle, J. Bell, A.
 * Gascón, K. Nissim, "Private Summation in the Multi-Message Shuffle Model", CCS 2020.
 *
 * Where we differ: the number of shares follows from a bound for every data set and any modulus
 * (docs/split-and-mix.md), smaller than the authors', and what the shares tell is counted in delta. One user
 * who deviates can move the sum by any amount.
 */
import {
  interval,
  onDemand,
  ParameterError,
  Real,
  requireInteger,
  sampleNegativeBinomial,
  type PrivacyStatement,
  type RandomStream,
  type UserMessages,
} from '@shuffle-dp/core';
import { leastShares, shareDistance, sharedSumEpsilon } from '@shuffle-dp/accounting';
import { privacyOfThoseLeft } from '../histograms/threatened-blankets.ts';
import { integerField, type NumberProtocolCard } from '../protocol-card.ts';
import { centralTarget, checkNumberSetting, type NumberSetting } from '../setting.ts';
import type { NumberProtocol } from '../shuffle-protocol.ts';
import { shuffleWithTrace } from '../traced-shuffle.ts';
import { HONEST_FIELD, noisePlan, type CountedOn } from './counted-on.ts';
import { checkNumbers, clippedShift, countsOf, sumOver, valuesOf } from './number-data.ts';
import { placeOf, roundAtRandom, roundingVariance, sampleRoundedSum, type Grid } from './random-rounding.ts';

export interface SplitAndMixSpec extends CountedOn {
  readonly kind: 'split-and-mix';
  /**
   * Steps k of the range; default the square root of the number of users, with which rounding costs little.
   */
  readonly steps?: number;
  /** Shares of a user; by default the fewest that leave the setting's delta. */
  readonly shares?: number;
}

export const SPLIT_AND_MIX: NumberProtocolCard<SplitAndMixSpec> = {
  kind: 'split-and-mix',
  title: 'Split and mix',
  dataKind: 'numbers',
  task: 'mean',
  setByTarget: 'noise',
  fields: [
    integerField('steps', 1, 'Steps of the range; by default the square root of the number of users.'),
    integerField('shares', 1, 'Shares of a user; by default the fewest that leave privacy.delta.'),
    HONEST_FIELD,
  ],
  create: splitAndMix,
};

/**
 * Probability that the noise leaves the range that the modulus tells apart: it costs accuracy, not privacy.
 */
const WRAPPED = 2 ** -40;
/** Residues are whole doubles. */
const MOST_RESIDUES = 2 ** 53;
/** Distances below come near the least double, and are no longer told from none. */
const LEAST_DISTANCE = 1e-304;

type ShareColumns = { readonly share: Float64Array };

interface Plan {
  readonly epsilon: number;
  /** What all that is told may cost. */
  readonly delta: number;
  readonly grid: Grid;
  /** Users whose noise is enough. */
  readonly honest: number;
  /** Noise outside [-reach, reach] has probability WRAPPED at most. */
  readonly reach: number;
  readonly modulus: number;
  readonly shares: number;
}

/**
 * @throws ParameterError, also where the setting has no epsilon, or no number of shares would leave its delta
 */
export function splitAndMix(spec: SplitAndMixSpec, setting: NumberSetting): NumberProtocol {
  return sharesOf(planOf(spec, setting), setting.users);
}

/** @param users who take part: those whom the plan was made for, or others who send the same */
function sharesOf(plan: Plan, users: number): NumberProtocol {
  const { epsilon, delta, grid, honest, reach, modulus, shares } = plan;
  const { range, steps } = grid;
  const width = range.high - range.low;
  const ratio = Real.exp(-epsilon / steps);
  /** 1 - ratio, of which many steps would leave few digits. */
  const success = -Real.expm1(-epsilon / steps);
  const noiseVariance = ((users / honest) * 2 * ratio) / success ** 2;
  const scale = width / (steps * users);
  const estimate = (residue: number): Float64Array => {
    const lifted = residue > modulus - 1 - reach ? residue - modulus : residue;
    return Float64Array.of(range.low + scale * lifted);
  };
  const proved = (left: number, leftDelta: number): PrivacyStatement => {
    const stated = statement(plan, leftDelta, left);
    // More noise than was planned for hides more, and from below nothing is known of it.
    return left > honest ? { ...stated, epsilon: interval(0, stated.epsilon.upper) } : stated;
  };
  const certified = onDemand(() => [proved(users, delta)]);
  return Object.freeze({
    kind: 'split-and-mix',
    name: 'Split and mix',
    description:
      'Each number in whole steps with a share of discrete Laplace noise, cut into additive shares.',
    parameters: Object.freeze({ steps, shares, modulus, honest, low: range.low, high: range.high }),
    paths: ['messages', 'aggregated'] as const,
    jointPaths: ['messages', 'aggregated'] as const,
    theoreticalBound: null,
    worstError: scale * scale * (users / 4 + noiseVariance),
    run: (data, stream, path, trace) => {
      checkNumbers(data, users);
      if (path === 'aggregated') {
        const rounded = sampleRoundedSum(grid, countsOf(data), stream);
        return estimate(residueOf(rounded + polyaDifference(users / honest, success, stream), modulus));
      }
      const messages = cutIntoShares(valuesOf(data), plan, success, stream.fork('messages'));
      const { columns, count } = shuffleWithTrace('shares', messages, stream, trace);
      let sum = 0;
      for (let i = 0; i < count; i++) sum = addResidues(sum, columns.share[i]!, modulus);
      return estimate(sum);
    },
    privacy: certified,
    certifiedPrivacy: certified,
    threatenedPrivacy: (threats) => [privacyOfThoseLeft(users, delta, threats, proved)],
    expectedError: (data) => {
      checkNumbers(data, users);
      const rounding = sumOver(data, (value) => roundingVariance(placeOf(grid, value)));
      return scale * scale * (rounding + noiseVariance) + (clippedShift(data, range) / users) ** 2;
    },
    sentBy: (others) => sharesOf(plan, others),
    cost: () => ({ messagesPerUser: shares, bitsPerUser: shares * Math.log2(modulus) }),
  } satisfies NumberProtocol);
}

function planOf(spec: SplitAndMixSpec, setting: NumberSetting): Plan {
  const { users, range } = checkNumberSetting(setting);
  const epsilon = centralTarget(setting, 'privacy.epsilon');
  const steps = requireInteger('steps', spec.steps ?? Math.ceil(Math.sqrt(users)), 1);
  const { honest, delta } = noisePlan(spec, setting);
  const reach = noiseReach(users / honest, epsilon / steps);
  const modulus = Math.max(2, users * steps + 2 * reach + 1);
  if (!(modulus <= MOST_RESIDUES))
    throw new ParameterError('steps', steps, 'smaller: the sum would not fit a double');
  const distance = delta / (1 + Real.exp(epsilon));
  if (distance < LEAST_DISTANCE) {
    const smaller = `smaller, or delta larger: delta / (1 + e^epsilon), which shares may tell beside their sum, must be at least ${LEAST_DISTANCE}`;
    throw new ParameterError('epsilon', epsilon, smaller);
  }
  const shares = spec.shares ?? leastShares(honest, modulus, distance);
  if (shares === null)
    throw new ParameterError('delta', delta, `larger: no number of shares hides ${honest} users so well`);
  return {
    epsilon,
    delta: setting.delta,
    grid: { range, steps },
    honest,
    reach,
    modulus,
    shares: requireInteger('shares', shares, 1),
  };
}

/**
 * So far the noise of all users reaches but for WRAPPED: that of each of a whole number of full shares, added
 * up.
 */
function noiseReach(shape: number, step: number): number {
  const parts = Math.ceil(shape - 1e-9);
  return parts * Math.ceil(Real.log((2 * parts) / WRAPPED) / step);
}

/** @param present users who take part honestly */
function statement(
  { epsilon, grid, honest, modulus, shares }: Plan,
  delta: number,
  present: number,
): PrivacyStatement {
  const share = Math.min(1, present / honest);
  const distance = shareDistance(Math.min(honest, present), shares, modulus);
  const sum = { design: epsilon, steps: grid.steps, share, distance, wrapped: WRAPPED };
  return Object.freeze({
    epsilon: sharedSumEpsilon(sum, delta),
    delta,
    accountant: 'split and mix',
    theorem:
      'discrete Laplace noise, and the statistical distance of shuffled shares counted in delta (docs/split-and-mix.md)',
    status: 'certified',
    sound: true,
    adjacency: 'replace-one',
    unit: 'one user, all their shares',
    view: `the shuffled shares of all users, of whom ${present} take part honestly`,
    group: 'all users',
  });
}

/**
 * The difference of two negative binomial numbers of this shape: a share of discrete Laplace noise, whose
 * shape is 1.
 */
function polyaDifference(shape: number, success: number, stream: RandomStream): number {
  return sampleNegativeBinomial(shape, success, stream) - sampleNegativeBinomial(shape, success, stream);
}

function cutIntoShares(
  values: Float64Array,
  { grid, honest, modulus, shares }: Plan,
  success: number,
  stream: RandomStream,
): UserMessages<ShareColumns> {
  const share = new Float64Array(values.length * shares);
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    const rounded = roundAtRandom(placeOf(grid, values[i]!), stream);
    let rest = residueOf(rounded + polyaDifference(1 / honest, success, stream), modulus);
    for (let j = 1; j < shares; j++) {
      const uniform = stream.integerBelow(modulus);
      share[count++] = uniform;
      rest = addResidues(rest, modulus - uniform, modulus);
    }
    share[count++] = rest;
  }
  return { columns: { share }, count };
}

/** In 0 to modulus - 1, of any whole number. */
function residueOf(value: number, modulus: number): number {
  const rest = value % modulus;
  return rest < 0 ? rest + modulus : rest;
}

/** Of two from 0 to the modulus, without leaving the doubles. */
function addResidues(a: number, b: number, modulus: number): number {
  return a >= modulus - b ? a - (modulus - b) : a + b;
}
