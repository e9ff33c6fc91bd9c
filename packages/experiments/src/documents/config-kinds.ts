/** Configs of `run` and `compare`, of `learn`, of `forest`, and of `unsupervised`. */
export const CONFIG_KINDS = ['experiment', 'learning', 'forest', 'unsupervised'] as const;
export type ConfigKind = (typeof CONFIG_KINDS)[number];

/** A field that only configs of one kind have, and the command that they are for. */
export const TELLING_FIELDS: readonly { field: string; command: string }[] = [
  { field: 'protocols', command: 'run' },
  { field: 'frameworks', command: 'learn' },
  { field: 'height', command: 'forest' },
  { field: 'method', command: 'unsupervised' },
];
