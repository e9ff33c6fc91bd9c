/** Ways in which an oracle of categories can be wrong, and what the checks say of each. */
import type { FrequencyOracle } from '@shuffle-dp/core';

const scaled = (values: Float64Array, by: number): Float64Array => values.map((value) => value * by);

/** By what it draws without messages: what `drawnFault` says. */
export const WRONG_DRAWS: readonly (readonly [
  string,
  (right: FrequencyOracle) => Partial<FrequencyOracle>,
  string,
])[] = [
  [
    'estimates are 2 % too large',
    ({ estimate }) => ({ estimate: (...given) => scaled(estimate(...given), 1.02) }),
    'one whose estimate gives',
  ],
  [
    'variance is half of the right one',
    ({ variance }) => ({ variance: (...given) => variance(...given) / 2 }),
    'one whose variance is that of its estimates',
  ],
  [
    'variance is twice the right one',
    ({ variance }) => ({ variance: (...given) => variance(...given) * 2 }),
    'one whose variance is that of its estimates',
  ],
  [
    'counts without messages are 2 % too large',
    ({ sampleSupportCounts }) => ({
      sampleSupportCounts: (...given) => scaled(sampleSupportCounts(...given), 1.02),
    }),
    'one whose sampleSupportCounts gives what',
  ],
];

/** By its messages: what `messagesFault` says. */
export const WRONG_MESSAGES: typeof WRONG_DRAWS = [
  [
    'messages lack five users',
    (right) => ({
      randomizeInto(values, messages, stream) {
        right.randomizeInto(values, messages, stream);
        for (const column of Object.values(messages.columns))
          column.fill(0, (column.length / values.length) * (values.length - 5), column.length);
      },
    }),
    'one whose supportCounts gives what',
  ],
  [
    'messages are counted 2 % too much',
    ({ supportCounts }) => ({ supportCounts: (messages) => scaled(supportCounts(messages), 1.02) }),
    'one whose supportCounts gives what',
  ],
];
