/** Configs of `run` and `compare`, of `learn`, and of `forest`. */
export const CONFIG_KINDS = ['experiment', 'learning', 'forest'] as const;
export type ConfigKind = (typeof CONFIG_KINDS)[number];
