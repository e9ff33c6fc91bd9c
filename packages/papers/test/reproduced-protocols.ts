/**
 * Rows of docs/protocols-reproduced.md: what is printed stands here as it was read, what is ours is computed
 * when asked for.
 */
import {
  leastShares,
  negativeBinomialNoise,
  noisyCountEpsilon,
  shareDistance,
  shiftedCountDivergence,
} from '@shuffle-dp/accounting';
import { RandomStream } from '@shuffle-dp/core';
import {
  createFrequencyProtocol,
  createNumberProtocol,
  type FrequencyProtocolSpec,
  type NumberProtocolSpec,
} from '@shuffle-dp/protocols';
import { shortEnd } from '../../experiments/src/words/short-number.ts';
import { committedLedger } from '../src/claims/committed-ledger.ts';

export interface ReproducedRow {
  readonly protocol: string;
  /** What is printed, as a reader finds it. */
  readonly printed: string;
  readonly ours: () => string;
}

const digits = (value: number, count = 3): string => String(Number(value.toPrecision(count)));
/** What is proved to be enough, or an upper end: never less than it is. */
const enough = (value: number): string => shortEnd(value, 'upper', 3);
const numbers = { low: 0, high: 1 };
const parameter = ({ parameters }: { readonly parameters: object }, name: string): unknown =>
  (parameters as Readonly<Record<string, unknown>>)[name];
const ONE = { users: 10_000, delta: 1e-6, epsilon: 1 };

const number = (spec: NumberProtocolSpec, setting = ONE) =>
  createNumberProtocol(spec, { ...setting, range: numbers });
const augmented = (spec: object, domain: number, target: object) =>
  createFrequencyProtocol({ ...spec } as FrequencyProtocolSpec, { ...ONE, domain, ...target });

function fixedPoint(): string {
  const levels = 9;
  const protocol = number({ kind: 'fixed-point-mean', steps: levels - 1 });
  const inverse = Math.exp(-(parameter(protocol, 'epsilon0') as number));
  return `${enough((levels * inverse) / (1 + (levels - 1) * inverse))} is certified`;
}

function shares(): string {
  const [users, modulus] = [10_000, 2 ** 32];
  const distance = Math.ceil(10 * Math.log2(shareDistance(users, 12, modulus))) / 10;
  return `12 shares: 2^${distance}; ${leastShares(users, modulus, 2 ** -40)} are enough`;
}

/** By the theorem's own parameters, and the fewest messages for the same. */
function negativeBinomial(): string {
  const [epsilon, delta] = [0.5, 1e-6];
  const ratio = Math.exp(-0.2 * epsilon);
  const mean = (3 * (1 + Math.log(1 / delta)) * ratio) / (1 - ratio);
  const law = negativeBinomialNoise(mean, 1 - ratio);
  const { upper } = noisyCountEpsilon((at) => shiftedCountDivergence(law, 1, at), delta);
  const least = number({ kind: 'anonymous-count', signs: 'plus' }, { ...ONE, epsilon });
  return `${digits(mean)} messages: certified epsilon ${enough(upper)}; ${enough(parameter(least, 'noiseMean') as number)} are enough`;
}

/** Quantiles of the errors of categories that nobody holds, in users: nearly all of a large domain. */
function hashedBins(hashRange: number, buckets: number): string {
  const [users, domain, trials] = [100_000, 5000, 12];
  const setting = { users, domain, delta: 1e-10 };
  // As many blankets in a bin as in the authors' demonstration.
  const blanketRate = (97.9614 * buckets) / users;
  const protocol = createFrequencyProtocol(
    { kind: 'balls-into-bins-histogram', hashRange, blanketRate },
    setting,
  );
  const histogram = new Float64Array(domain);
  histogram[0] = users;
  const root = RandomStream.fromSeed('hashed bins');
  const errors = Array.from({ length: trials }, (_, trial) =>
    protocol
      .run({ kind: 'categories', users, domain, histogram }, root.fork(trial), 'aggregated')
      .subarray(1),
  ).flatMap((estimates) => Array.from(estimates, (estimate) => Math.abs(estimate) * users));
  errors.sort((a, b) => a - b);
  const at = [0.5, 0.9, 0.99].map((share) => digits(errors[Math.floor(share * errors.length)]!));
  const { upper } = protocol.certifiedPrivacy()[0]!.epsilon;
  return `${digits(protocol.cost().messagesPerUser, 4)} messages; ${at.join(', ')}; certified epsilon ${enough(upper)}`;
}

function dummies(kind: string, name: string, epsilon: number, domain: number, delta: number): string {
  const value = (accounting: string): unknown =>
    parameter(augmented({ kind, accounting, samplingRate: 1 }, domain, { epsilon, delta }), name);
  return `${String(value('original'))} by their formula; ${String(value('exact'))} are enough`;
}

function oneSided(): string {
  const protocol = augmented({ kind: 'one-sided-geometric-dummies' }, 17, { delta: 1e-300 });
  return `certified epsilon ${enough(protocol.certifiedPrivacy()[0]!.epsilon.upper)} at delta 1e-300`;
}

/** From the ledger, whose test measures it. */
function canonicalPair(): string {
  const { evidence } = committedLedger().claims.find(({ id }) => id === 'canonical.augmented-rr')!;
  const at = evidence.columns.indexOf('epsilon at least');
  const found = evidence.rows
    .filter(([mechanism, account]) => mechanism === 'augmented' && account === 'canonical')
    .map((row) => Number(row[at]));
  const [least, most] = [Math.min(...found), Math.max(...found)].map((end) => shortEnd(end, 'lower', 3));
  return `epsilon at least ${least} to ${most} in truth`;
}

export const REPRODUCED: readonly ReproducedRow[] = [
  {
    protocol: 'Fixed-point mean',
    printed: '0.183 of the users answer at random: max(14 D log(2/δ)/ε², 27 D/ε)/(n − 1)',
    ours: fixedPoint,
  },
  { protocol: 'Split and mix', printed: '12 shares for a distance of 2^-40', ours: shares },
  {
    protocol: 'Negative-binomial counts',
    printed: 'NB of ratio e^(−0.2 ε) and shape 3 (1 + log(1/δ)): 423 messages',
    ours: negativeBinomial,
  },
  {
    protocol: 'Balls into hashed bins, c = 1',
    printed: '9.508 messages; 7.47, 17.5, 26.5',
    ours: () => hashedBins(8681, 8685),
  },
  {
    protocol: 'Balls into hashed bins, c = 3',
    printed: '1.064 messages; –, 67.5, –',
    ours: () => hashedBins(67, 65),
  },
  { protocol: 'SBin', printed: '513 trials', ours: () => dummies('binomial-dummies', 'trials', 1, 17, 1e-6) },
  {
    protocol: 'SBin, 100 categories',
    printed: '974 trials',
    ours: () => dummies('binomial-dummies', 'trials', 1, 100, 1e-12),
  },
  {
    protocol: 'SAGeo',
    printed: 'mode 27',
    ours: () => dummies('two-sided-geometric-dummies', 'mode', 1, 17, 1e-6),
  },
  { protocol: 'S1Geo', printed: 'epsilon 1 at delta 0', ours: oneSided },
  {
    protocol: 'Augmented randomized response',
    printed: 'better than randomized response at epsilon 0.1 of the canonical pair',
    ours: canonicalPair,
  },
];
