/** @module The end-to-end protocols: randomizers, shuffler and analyzer, with the privacy that the whole gives. */

// By kind
export { createFrequencyProtocol, createSetProtocol, type ProtocolEntry } from './registry.ts';
export * from './specs.ts';
export {
  checkCategoricalSetting,
  checkSetValuedSetting,
  levelCounts,
  type CategoricalSetting,
  type SetValuedSetting,
} from './setting.ts';
export type { FrequencyProtocol, SetProtocol, ShuffleProtocol } from './shuffle-protocol.ts';
