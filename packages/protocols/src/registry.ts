/** The protocols by kind: how a config's spec becomes a protocol. */
import { ParameterError } from '@shuffle-dp/core';
import { checkCategoricalSetting, checkSetValuedSetting } from './setting.ts';
import type { CategoricalSetting, SetValuedSetting } from './setting.ts';
import type { FrequencyProtocol, SetProtocol, ShuffleProtocol } from './shuffle-protocol.ts';
import type { FrequencyProtocolSpec, SetProtocolSpec } from './specs.ts';

export interface ProtocolEntry<Spec extends { readonly kind: string }, Setting, Data> {
  readonly kind: Spec['kind'];
  /** The name in tables and charts. */
  readonly title: string;
  readonly dataKind: 'sets' | 'categories';
  create(spec: Spec, setting: Setting): ShuffleProtocol<Data>;
}

/** @throws ParameterError for a setting or spec outside its range. */
export function createSetProtocol(spec: SetProtocolSpec, setting: SetValuedSetting): SetProtocol {
  checkSetValuedSetting(setting);
  throw new ParameterError('kind', spec.kind, 'a protocol that exists');
}

/** @throws ParameterError for a setting or spec outside its range. */
export function createFrequencyProtocol(
  spec: FrequencyProtocolSpec,
  setting: CategoricalSetting,
): FrequencyProtocol {
  checkCategoricalSetting(setting);
  throw new ParameterError('kind', spec.kind, 'a protocol that exists');
}
