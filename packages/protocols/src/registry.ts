/** The protocols by kind: how a config's spec becomes a protocol. */
import { ParameterError } from '@shuffle-dp/core';
import { ballsIntoBins } from './competitors/balls-into-bins.ts';
import { separateLevels } from './competitors/separate-levels.ts';
import { subsetExponentialLocal, subsetExponentialShuffled } from './competitors/subset-exponential.ts';
import { singleMessageFrequency } from './frequencies/single-message-frequency.ts';
import { balcerCheu } from './histograms/balcer-cheu.ts';
import { ballsIntoBinsHistogram } from './histograms/balls-into-bins-histogram.ts';
import { cheuZhilyaev } from './histograms/cheu-zhilyaev.ts';
import { mixDump } from './histograms/mix-dump.ts';
import { pureDump } from './histograms/pure-dump.ts';
import { hierarchicalRangeQueries } from './range-queries/range-query-protocol.ts';
import { segmentedProtocol } from './segmented/set-valued-protocol.ts';
import type { CategoricalSetting, SetValuedSetting } from './setting.ts';
import type { FrequencyProtocol, SetProtocol } from './shuffle-protocol.ts';
import type { FrequencyProtocolSpec, SetProtocolSpec } from './specs.ts';

export interface ProtocolEntry<Spec extends { readonly kind: string }, Setting, Protocol> {
  readonly kind: Spec['kind'];
  /** The name in tables and charts. */
  readonly title: string;
  readonly dataKind: 'sets' | 'categories';
  create(spec: Spec, setting: Setting): Protocol;
}

type SetEntries = {
  readonly [Kind in SetProtocolSpec['kind']]: ProtocolEntry<
    Extract<SetProtocolSpec, { kind: Kind }>,
    SetValuedSetting,
    SetProtocol
  >;
};

type FrequencyEntries = {
  readonly [Kind in FrequencyProtocolSpec['kind']]: ProtocolEntry<
    Extract<FrequencyProtocolSpec, { kind: Kind }>,
    CategoricalSetting,
    FrequencyProtocol
  >;
};

export const SET_PROTOCOLS: SetEntries = {
  segmented: { kind: 'segmented', title: 'Segmented', dataKind: 'sets', create: segmentedProtocol },
  'subexp-local': {
    kind: 'subexp-local',
    title: 'Subset exponential, local',
    dataKind: 'sets',
    create: subsetExponentialLocal,
  },
  'subexp-shuffled': {
    kind: 'subexp-shuffled',
    title: 'Subset exponential, shuffled',
    dataKind: 'sets',
    create: subsetExponentialShuffled,
  },
  'balls-into-bins': {
    kind: 'balls-into-bins',
    title: 'Balls into bins',
    dataKind: 'sets',
    create: ballsIntoBins,
  },
  'sep-mm': { kind: 'sep-mm', title: 'SepMM', dataKind: 'sets', create: separateLevels },
  'weighted-sep-mm': {
    kind: 'weighted-sep-mm',
    title: 'Weighted SepMM',
    dataKind: 'sets',
    create: separateLevels,
  },
};

export const FREQUENCY_PROTOCOLS: FrequencyEntries = {
  frequency: {
    kind: 'frequency',
    title: 'Single-message frequency',
    dataKind: 'categories',
    create: (spec, setting) => singleMessageFrequency(spec, setting),
  },
  'range-queries': {
    kind: 'range-queries',
    title: 'Hierarchical range queries',
    dataKind: 'categories',
    create: hierarchicalRangeQueries,
  },
  'pure-dump': { kind: 'pure-dump', title: 'pureDUMP', dataKind: 'categories', create: pureDump },
  'mix-dump': { kind: 'mix-dump', title: 'mixDUMP', dataKind: 'categories', create: mixDump },
  'balls-into-bins-histogram': {
    kind: 'balls-into-bins-histogram',
    title: 'Balls into hashed bins',
    dataKind: 'categories',
    create: ballsIntoBinsHistogram,
  },
  'cheu-zhilyaev': {
    kind: 'cheu-zhilyaev',
    title: 'Flipped bits',
    dataKind: 'categories',
    create: cheuZhilyaev,
  },
  'balcer-cheu': {
    kind: 'balcer-cheu',
    title: 'Binary sums among coins',
    dataKind: 'categories',
    create: balcerCheu,
  },
};

/** @throws ParameterError for an unknown kind, and for a setting or spec outside its range; OutOfRegimeError */
export function createSetProtocol(spec: SetProtocolSpec, setting: SetValuedSetting): SetProtocol {
  // The entry of a spec's kind takes that spec; the compiler cannot follow the pairing through a union.
  const known = entry(SET_PROTOCOLS, spec.kind) as ProtocolEntry<
    SetProtocolSpec,
    SetValuedSetting,
    SetProtocol
  >;
  return known.create(spec, setting);
}

/** @throws ParameterError for an unknown kind, and for a setting or spec outside its range; OutOfRegimeError */
export function createFrequencyProtocol(
  spec: FrequencyProtocolSpec,
  setting: CategoricalSetting,
): FrequencyProtocol {
  const known = entry(FREQUENCY_PROTOCOLS, spec.kind) as ProtocolEntry<
    FrequencyProtocolSpec,
    CategoricalSetting,
    FrequencyProtocol
  >;
  return known.create(spec, setting);
}

/** Whether a protocol takes one category per user; the others take sets. */
export function isFrequencySpec<Spec extends { readonly kind: string }>(
  spec: Spec,
): spec is Extract<Spec, { readonly kind: FrequencyProtocolSpec['kind'] }> {
  return Object.hasOwn(FREQUENCY_PROTOCOLS, spec.kind);
}

function entry<Entries extends object, Kind extends keyof Entries & string>(
  entries: Entries,
  kind: Kind,
): Entries[Kind] {
  if (!Object.hasOwn(entries, kind)) {
    throw new ParameterError('kind', kind, `one of ${Object.keys(entries).join(', ')}`);
  }
  return entries[kind];
}
