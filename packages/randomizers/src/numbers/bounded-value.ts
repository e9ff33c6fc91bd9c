/**
 * What randomizers of one bounded number share: the range of inputs, columns, and the average of messages.
 */
import {
  compensatedSum,
  EPSILON0,
  modelOf,
  ParameterError,
  requireFinite,
  type Given,
  type MeanRandomizer,
  type NumberCard,
  type ShuffledMessages,
  type UserMessages,
  type ValueColumns,
} from '@shuffle-dp/core';
import type { InputRange } from '../laws/output-cells.ts';

export interface BoundedNumberParameters {
  /** Local budget in nats, positive. */
  readonly epsilon0: number;
  /** Default [-1, 1]; of Laplace noise [0, 1]. */
  readonly inputRange?: InputRange;
}

/** What the card of a mechanism says whose one parameter is its budget. */
type BudgetCard = Pick<
  NumberCard,
  'name' | 'title' | 'description' | 'source' | 'citation' | 'ratios' | 'estimator'
>;

/** The card of a mechanism of numbers whose one parameter is its local budget. */
export function budgetCard(
  card: BudgetCard,
  make: (given: BoundedNumberParameters) => MeanRandomizer,
): NumberCard {
  return {
    ...card,
    holds: 'a number',
    parameters: [EPSILON0],
    example: { epsilon0: 1 },
    make: (given: Given<'epsilon0'>) => make(given),
    model: (given: Given<'epsilon0'>) => modelOf(make(given), given),
  };
}

/** @throws ParameterError unless low and high are finite and low < high */
export function requireRange({ low, high }: InputRange): InputRange {
  requireFinite('inputRange.low', low);
  requireFinite('inputRange.high', high);
  if (!(low < high)) throw new ParameterError('inputRange.high', high, `above inputRange.low = ${low}`);
  return Object.freeze({ low, high });
}

/**
 * The nearest point of the range; the lower end for NaN, so that privacy holds for whatever a user sends in.
 */
export function clampTo({ low, high }: InputRange, value: number): number {
  return value > low ? (value < high ? value : high) : low;
}

export function allocateValues(users: number): UserMessages<ValueColumns> {
  return { columns: { value: new Float64Array(users) }, count: 0 };
}

/** @throws ParameterError if there are no messages */
export function averageMessage({ columns, count }: ShuffledMessages<ValueColumns>): number {
  if (count < 1) throw new ParameterError('the number of messages', count, 'at least 1');
  return compensatedSum(columns.value.subarray(0, count)) / count;
}

/** Of messages that are values of the range on average: their mean is the estimate. */
export function unbiasedMean(
  inputRange: InputRange,
): Pick<MeanRandomizer, 'inputRange' | 'allocate' | 'mean' | 'estimateMean'> {
  return {
    inputRange,
    allocate: allocateValues,
    mean: (input) => clampTo(inputRange, input),
    estimateMean: averageMessage,
  };
}
