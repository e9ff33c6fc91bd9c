/** The federated frameworks that are compared, as plain data (Liu et al., "Echo of Neighbors", AAAI 2023, sections 3 and 5). */

/**
 * non-private: gradients as they are, not even clipped. ldp-min: Laplace noise, all users at the smallest budget. pldp: Laplace
 * noise at each user's own budget. uni-shuffle: the same, shuffled. apes: Clip-Laplace noise, shuffled dimension by dimension with
 * the budgets, calibrated by the analyzer (Algorithm 1). s-apes: the same after post-sparsification (Algorithm 2).
 * unbiased-clip-laplace: ours, each user's value moved outwards first, so that the average is unbiased whatever the budgets.
 */
export const FEDERATED_FRAMEWORKS = [
  'non-private',
  'ldp-min',
  'pldp',
  'uni-shuffle',
  'apes',
  's-apes',
  'unbiased-clip-laplace',
] as const;

export type FederatedFramework = (typeof FEDERATED_FRAMEWORKS)[number];

export interface FrameworkSpec {
  readonly kind: FederatedFramework;
  /** C: each coordinate of a gradient is clipped to [-C, C]; positive. */
  readonly clipBound: number;
  /** s-apes only: share b / d of the dimensions that a user's messages tell about, in (0, 1]. */
  readonly keptShare?: number;
  /** s-apes only: the dimensions whose randomized values are largest (the paper's), or random ones. Default largest. */
  readonly sparsification?: 'largest' | 'random';
}

/** Whether the users' messages pass the shuffler. */
export function isShuffled({ kind }: FrameworkSpec): boolean {
  return kind === 'uni-shuffle' || kind === 'apes' || kind === 's-apes' || kind === 'unbiased-clip-laplace';
}
