/** What the error of a run is, in words. */
import type { ErrorMeasure } from '../config/schema.ts';

export interface MeasureWords {
  readonly name: string;
  readonly axis: string;
  /** Before 'against' and what the truth is. */
  readonly definition: string;
}

export const MEASURE_WORDS: Readonly<Record<ErrorMeasure, MeasureWords>> = {
  frequencies: {
    name: 'sum of squared errors',
    axis: 'sum of squared errors, mean',
    definition: 'sum over the domain of squared error',
  },
  ranges: {
    name: 'mean squared error of a range',
    axis: 'mean squared error of a range',
    definition: 'squared error of the frequency of a range of categories, mean over all ranges,',
  },
};
