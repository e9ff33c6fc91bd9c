/**
 * Users' own local budgets, as text: constant(x), uniform(a, b), gaussian(mean, sd, low, high), or a mixture
 * of these, mixture(0.9 * gaussian(…), 0.1 * gaussian(…)). Values of a Gaussian outside [low, high] move to
 * the nearer end, as in Liu et al., "Echo of Neighbors", AAAI 2023, Table 2.
 */
import { aliasTable, sampleGaussian, type RandomStream } from '@shuffle-dp/core';
import { decimalNumber } from '../words/decimal-number.ts';

export interface BudgetDistribution {
  /** Back to text, spaces removed. */
  readonly text: string;
  /** One user's budget in nats, positive. */
  sample(stream: RandomStream): number;
  /** No budget is outside. */
  readonly low: number;
  readonly high: number;
}

/** What is wrong with the text of a distribution. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
  readonly code = 'bad-budgets';
}

/** The squares of smaller ones are no doubles. */
export const LEAST_BUDGET = 1e-100;

export const BUDGET_FORMS =
  'constant(x), uniform(a,b), gaussian(mean,sd,low,high) or mixture(w1*…,w2*…), with positive budgets';

/**
 * The law of local budgets, in nats, that a text such as `uniform(0.05,1)` names.
 *
 * @throws BudgetError saying which forms there are
 */
export function parseBudgets(text: string): BudgetDistribution {
  const compact = text.replaceAll(/\s+/gu, '');
  const call = /^([a-z]+)\((.*)\)$/u.exec(compact);
  if (call === null) throw new BudgetError(`must be ${BUDGET_FORMS}`);
  const [, name = '', inside = ''] = call;
  const parts = splitArguments(inside);
  switch (name) {
    case 'constant': {
      const [value] = numbers(name, parts, ['x']);
      return uniform(compact, value!, value!);
    }
    case 'uniform': {
      const [low, high] = numbers(name, parts, ['a', 'b']);
      return uniform(compact, low!, high!);
    }
    case 'gaussian': {
      const [mean, deviation, low, high] = numbers(name, parts, ['mean', 'sd', 'low', 'high']);
      requireRange(name, low!, high!);
      if (!(deviation! > 0)) throw new BudgetError(`gaussian: sd = ${deviation}: must be positive`);
      return {
        text: compact,
        low: low!,
        high: high!,
        sample: (stream) => Math.min(high!, Math.max(low!, mean! + deviation! * sampleGaussian(stream))),
      };
    }
    case 'mixture':
      return mixture(compact, parts);
    default:
      throw new BudgetError(`${name} is no distribution: must be ${BUDGET_FORMS}`);
  }
}

/** Local budgets, in nats, of `users` independent users: one draw of the stream each. */
export function sampleBudgets(
  distribution: BudgetDistribution,
  users: number,
  stream: RandomStream,
): Float64Array {
  return Float64Array.from({ length: users }, () => distribution.sample(stream));
}

function uniform(text: string, low: number, high: number): BudgetDistribution {
  requireRange(text.slice(0, text.indexOf('(')), low, high);
  return { text, low, high, sample: (stream) => low + (high - low) * stream.next() };
}

const WEIGHTS_TOLERANCE = 1e-9;

function mixture(text: string, parts: readonly string[]): BudgetDistribution {
  const components = parts.map((part) => {
    const star = part.indexOf('*');
    const weight = star < 0 ? Number.NaN : decimalNumber(part.slice(0, star));
    if (!(weight > 0))
      throw new BudgetError(`mixture: '${part}': must be weight*distribution with a positive weight`);
    return { weight, distribution: parseBudgets(part.slice(star + 1)) };
  });
  const total = components.reduce((sum, { weight }) => sum + weight, 0);
  if (!(Math.abs(total - 1) <= WEIGHTS_TOLERANCE))
    throw new BudgetError(`mixture: weights sum to ${total}: must sum to 1`);
  const table = aliasTable(Float64Array.from(components, ({ weight }) => weight));
  return {
    text,
    low: Math.min(...components.map(({ distribution }) => distribution.low)),
    high: Math.max(...components.map(({ distribution }) => distribution.high)),
    sample: (stream) => components[table.sample(stream)]!.distribution.sample(stream),
  };
}

function requireRange(name: string, low: number, high: number): void {
  if (!(low > 0 && low <= high && high < Infinity))
    throw new BudgetError(`${name}: budgets from ${low} to ${high}: must be positive and in this order`);
  if (low < LEAST_BUDGET)
    throw new BudgetError(`${name}: budgets from ${low} to ${high}: must be at least ${LEAST_BUDGET}`);
}

function numbers(name: string, parts: readonly string[], wanted: readonly string[]): number[] {
  const values = parts.map(decimalNumber);
  if (values.length !== wanted.length || values.some((value) => !Number.isFinite(value)))
    throw new BudgetError(`${name}(${parts.join(',')}): must be ${name}(${wanted.join(',')}) with numbers`);
  return values;
}

/** At commas outside all parentheses. */
function splitArguments(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}
