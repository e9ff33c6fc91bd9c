/**
 * The federated frameworks that are compared, as plain data (Liu et al., "Echo of Neighbors", AAAI 2023,
 * sections 3 and 5).
 */

/**
 * non-private: gradients as they are, not even clipped. ldp-min: Laplace noise, all users at the smallest
 * budget. pldp: Laplace noise at each user's own budget. uni-shuffle: the same, shuffled. apes: Clip-Laplace
 * noise, shuffled dimension by dimension with the budgets, calibrated by the analyzer (Algorithm 1). s-apes:
 * the same after post-sparsification (Algorithm 2). unbiased-clip-laplace: ours, each user's value moved
 * outwards first, so that the average is unbiased whatever the budgets. vector-rr: a few of the gradient's
 * bits, flipped now and then (S. Wang et al. 2025, section 7.2); all users at one budget.
 */
export const FEDERATED_FRAMEWORKS = [
  'non-private',
  'ldp-min',
  'pldp',
  'uni-shuffle',
  'apes',
  's-apes',
  'unbiased-clip-laplace',
  'vector-rr',
] as const;

export type FederatedFramework = (typeof FEDERATED_FRAMEWORKS)[number];

export const SPARSIFICATIONS = ['largest', 'random'] as const;

export interface FrameworkSpec {
  readonly kind: FederatedFramework;
  /** C: each coordinate of a gradient is clipped to [-C, C]; positive. */
  readonly clipBound: number;
  /** s-apes only: share b / d of the dimensions that a user's messages tell about, in (0, 1]. */
  readonly keptShare?: number;
  /**
   * s-apes only: the dimensions whose randomized values are largest (the paper's), or random ones. Default
   * largest.
   */
  readonly sparsification?: (typeof SPARSIFICATIONS)[number];
  /** vector-rr only, which needs it: local budget in nats of all messages that a user sends in one round. */
  readonly messageBudget?: number;
  /** vector-rr only: binary levels of a coordinate, each with a message of its own; default 1. */
  readonly levels?: number;
}

/** Of the frameworks that add noise to each coordinate, or none. */
export interface NoiseFrameworkSpec extends FrameworkSpec {
  readonly kind: Exclude<FederatedFramework, 'vector-rr'>;
}

const UNSHUFFLED: readonly FederatedFramework[] = ['non-private', 'ldp-min', 'pldp'];

/** Whether the users' messages pass the shuffler. */
export function isShuffled({ kind }: FrameworkSpec): boolean {
  return !UNSHUFFLED.includes(kind);
}
