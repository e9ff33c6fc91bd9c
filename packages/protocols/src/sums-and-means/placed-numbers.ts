/** Numbers of a range on the range that a randomizer takes, and its estimates back. */
import type { MeanRandomizer } from '@shuffle-dp/core';
import { clippedShift, sumOver, type NumberData } from './number-data.ts';

interface Ends {
  readonly low: number;
  readonly high: number;
}

export interface PlacedNumbers {
  /** A number on the randomizer's range. */
  readonly placed: (value: number) => number;
  /** What stands there, as a number. */
  readonly named: (place: number) => number;
  /**
   * Expected squared error of the mean: the messages are independent, and numbers outside the range are moved
   * to its ends, which biases. @param varianceOf a message, at a place
   */
  readonly expectedError: (data: NumberData, varianceOf: (place: number) => number) => number;
}

export function placedNumbers(range: Ends, { inputRange, mean }: MeanRandomizer): PlacedNumbers {
  const { low, high } = inputRange;
  const unit = (range.high - range.low) / (high - low);
  const placed = (value: number): number => low + (value - range.low) / unit;
  /** The estimate undoes what the messages' means shrink the range to. */
  const gain = (high - low) / (mean(high) - mean(low));
  return {
    placed,
    named: (place) => range.low + (place - low) * unit,
    expectedError: (data, varianceOf) => {
      const variance = gain * gain * sumOver(data, (value) => varianceOf(placed(value)));
      const shift = clippedShift(data, range);
      return (variance * unit * unit + shift * shift) / (data.users * data.users);
    },
  };
}
