export { yamlText } from '../documents/check-document.ts';
export { ConfigError } from '../documents/config-error.ts';
export { CONFIG_KINDS, type ConfigKind } from '../documents/config-kinds.ts';
export { jsonSchemaOf } from '../documents/json-schema.ts';
export { LIMITS } from '../documents/limits.ts';
export { type ConfigOverrides, loadConfig, parseConfig } from './load-config.ts';
export { type ExperimentConfig, experimentSchema } from './schema.ts';
