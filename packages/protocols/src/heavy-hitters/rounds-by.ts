/** The protocols that rounds are made by, under the names that configs have for them. */
import { ParameterError } from '@shuffle-dp/core';
import { choiceField } from '../protocol-card.ts';
import type { FrequencyProtocolSpec } from '../registry.ts';

const BY_NAME = {
  'negative-binomial-counts': { kind: 'negative-binomial-counts' },
  'pure-dump': { kind: 'pure-dump' },
  'balls-into-bins-histogram': { kind: 'balls-into-bins-histogram' },
  grr: { kind: 'frequency', randomizer: 'grr' },
  'local-hash': { kind: 'frequency', randomizer: 'local-hash' },
} as const satisfies Readonly<Record<string, FrequencyProtocolSpec>>;

export type RoundsBy = keyof typeof BY_NAME;

export const ROUNDS_BY = {
  ...choiceField(
    'oracle',
    Object.keys(BY_NAME),
    'The frequency protocol of each round; default negative-binomial-counts.',
  ),
  swept: true,
};

/** @throws ParameterError for an unknown name */
export function roundsSpec(
  given: FrequencyProtocolSpec | RoundsBy = 'negative-binomial-counts',
): FrequencyProtocolSpec {
  if (typeof given !== 'string') return given;
  if (Object.hasOwn(BY_NAME, given)) return BY_NAME[given];
  throw new ParameterError('oracle', given, `one of ${Object.keys(BY_NAME).join(', ')}`);
}

/** As configs name it: randomizers of one message by themselves. */
export function nameOfRounds(spec: FrequencyProtocolSpec): string {
  return spec.kind === 'frequency' ? spec.randomizer : spec.kind;
}
