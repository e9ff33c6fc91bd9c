/** Configs of `run` and `compare`, of `learn`, of `forest`, and of `unsupervised`. */
export const CONFIG_KINDS = ['experiment', 'learning', 'forest', 'unsupervised'] as const;
export type ConfigKind = (typeof CONFIG_KINDS)[number];

/** A field that only configs of one kind have, and the command that they are for. */
export const TELLING_FIELDS: readonly { field: string; kind: ConfigKind; command: string }[] = [
  { field: 'protocols', kind: 'experiment', command: 'run' },
  { field: 'frameworks', kind: 'learning', command: 'learn' },
  { field: 'height', kind: 'forest', command: 'forest' },
  { field: 'method', kind: 'unsupervised', command: 'unsupervised' },
];
