/** The papers by their short names, in the order in which pages list them. */
export const PAPERS = [
  'variation-ratio',
  'composition',
  'segmented',
  'apes',
  'hps',
  'canonical-pair',
] as const;

export type Paper = (typeof PAPERS)[number];
