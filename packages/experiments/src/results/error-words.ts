/** What the errors of a run are, in words. */
import type { ErrorMeasure, EstimateError } from '../config/schema.ts';

export interface ErrorWords {
  /** Heads a column, and names the error in a sentence. */
  readonly name: string;
  readonly axis: string;
  /** Before 'against' and what the truth is. */
  readonly definition: string;
}

const FREQUENCY_ERRORS: Readonly<Record<EstimateError, ErrorWords>> = {
  'total-squared': inMean('total squared error', 'sum over the domain of squared errors'),
  'per-item': inMean('squared error per item', 'squared error, mean over the domain,'),
  maximum: inMean('maximum error', 'largest absolute error over the domain'),
  'total-variation': inMean('total variation', 'half the sum over the domain of absolute errors'),
};

function inMean(name: string, definition: string): ErrorWords {
  return { name, axis: `${name}, mean`, definition };
}

/** Of one number, or of a vector by its coordinates. */
function errorOfTotal(total: 'mean' | 'sum', error: EstimateError): ErrorWords {
  const squared = `squared error of the ${total}`;
  const definition = 'squared difference of the estimate';
  if (error === 'maximum') {
    const name = `largest error of the ${total}`;
    return { name, axis: name, definition: 'largest absolute difference of a coordinate of the estimate' };
  }
  if (error === 'total-squared') return { name: squared, axis: squared, definition };
  const name = `${squared}, a coordinate`;
  return { name, axis: name, definition: `${definition}, mean over the coordinates,` };
}

const MEANS_ERRORS: Readonly<Record<EstimateError, ErrorWords>> = {
  ...FREQUENCY_ERRORS,
  'total-squared': {
    name: 'squared error of the means',
    axis: 'squared error of the means, total',
    definition: 'sum over the keys of squared errors of their means',
  },
  'per-item': {
    name: 'squared error of a mean',
    axis: 'squared error of a mean',
    definition: "squared error of a key's mean, mean over the keys,",
  },
};

const RANGE_ERROR = inMean(
  'squared error of a range',
  'squared error of the frequency of a range of categories, mean over all ranges,',
);

const HEAVY_HITTER_ERROR: ErrorWords = {
  name: 'squared error of the top',
  axis: 'squared error of the most frequent, total',
  definition:
    'sum of squared errors over the most frequent identifiers, where a missed one counts as estimate 0,',
};

/** Behind the name of what theory expects, where that is not exact: means of keys are ratios of estimates. */
export function theoryRemark({ measure }: { readonly measure: ErrorMeasure }): string {
  return measure === 'means' ? ', first order' : '';
}

/** How tables and charts name the error of a measure, with its unit. */
export function errorWords({
  measure,
  error,
}: {
  readonly measure: ErrorMeasure;
  readonly error: EstimateError;
}): ErrorWords {
  if (measure === 'heavy-hitters') return HEAVY_HITTER_ERROR;
  if (measure === 'means') return MEANS_ERRORS[error];
  if (measure === 'mean' || measure === 'sum') return errorOfTotal(measure, error);
  return measure === 'ranges' ? RANGE_ERROR : FREQUENCY_ERRORS[error];
}
