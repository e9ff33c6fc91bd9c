export { ConfigError } from './config-error.ts';
export { CONFIG_KINDS, type ConfigKind } from './config-kinds.ts';
export { jsonSchemaOf } from './json-schema.ts';
export { LIMITS } from './limits.ts';
export { type ConfigOverrides, loadConfig, parseConfig } from './load-config.ts';
export { type ExperimentConfig, experimentSchema } from './schema.ts';
