/**
 * What an accountant must know of a local randomizer, as plain data, so that randomizers and accountants
 * never import each other.
 */

/**
 * Parameters of the variation-ratio pair (Wang et al., PVLDB 17(8), 2024, Definitions 4.1 and 4.2).
 * `p`: largest ratio of the victim's two output laws, in (1, infinity]; `beta`: their total variation, in
 * [0, (p-1)/(p+1)]; `q`: largest ratio of a victim's law to any other user's, at least 1.
 */
export interface VariationRatio {
  readonly p: number;
  readonly beta: number;
  readonly q: number;
  /**
   * p - 1 with all its digits, of which a rounded p near 1 has lost some: e^epsilon0 - 1 as one number.
   * Without it p is taken to be exact.
   */
  readonly pMinusOne?: number;
}

/**
 * The output space of a randomizer cut into atoms, for one pair of victim inputs: the three masses that
 * decide the divergence after shuffling (docs/soundness.md, formula F1). Arrays have one length.
 */
export interface LikelihoodAtoms {
  /** Which inputs these are: 'others hold neither value'. */
  readonly label: string;
  /** Mass of each atom under the victim's first input; sums to 1. */
  readonly victim0: Float64Array;
  /** Mass of each atom under the victim's second input; sums to 1. */
  readonly victim1: Float64Array;
  /** Mass that every other user is sure to give; sums to at most 1 (the rest reveals nothing). */
  readonly others: Float64Array;
  /**
   * The rest, 1 less the sum of `others`, with all its digits: 0 where `others` is a whole law. Without it
   * the rest is known to the rounding of that sum only.
   */
  readonly silent?: number;
  /** Exchanging the victim's inputs only permutes the atoms: one direction of the divergence is enough. */
  readonly symmetric: boolean;
  /**
   * For cells of a continuous output space, the density ratios victim/others at both ends of each cell,
   * between which they are monotone. Absent when the atoms are points.
   */
  readonly cellEnds?: {
    readonly ratio0Start: Float64Array;
    readonly ratio0End: Float64Array;
    readonly ratio1Start: Float64Array;
    readonly ratio1End: Float64Array;
  };
}

/**
 * One input that another user may hold, beside a pair of the victim's inputs: outputs with equal ratios of
 * the four masses are one atom. Arrays have one length.
 */
export interface OtherInput {
  /** Which input it is: 'a third value'. */
  readonly label: string;
  /**
   * Mass of each atom under the victim's first input, from above where inputs are a grid or laws are near
   * ones; sums to about 1.
   */
  readonly victim0: Float64Array;
  /**
   * Mass of each atom under the victim's second input, from below where inputs are a grid or laws are near
   * ones; sums to about 1.
   */
  readonly victim1: Float64Array;
  /** Mass of each atom under this input, or that this input gives to it at least; sums to 1 less `hidden`. */
  readonly own: Float64Array;
  /** What `own` lacks of the input's law. Default 0. */
  readonly hidden?: number;
  /** Mass that every input of any user gives to the atom at least: positive where one of the others is. */
  readonly blanket: Float64Array;
  /**
   * The victim's masses among messages of the blanket. Where the entry stands for many pairs, `victim0` is at
   * least, and `victim1` at most, what any of them has; null where nothing is known of them. Default the
   * entry's own, which are those among messages of the others. Only in symmetric pairs.
   */
  readonly buffer?: { readonly victim0: Float64Array; readonly victim1: Float64Array } | null;
}

/** A pair of the victim's inputs against every input that another user may hold. */
export interface TypedPair {
  readonly label: string;
  /** One entry per type of input: inputs of one type give the same atoms. Together they are all inputs. */
  readonly inputs: readonly OtherInput[];
  /** Exchanging the victim's inputs only permutes the types: one direction of the divergence is enough. */
  readonly symmetric: boolean;
  /**
   * Where the inputs are a grid, or their laws near ones: any input's law is a mixture of theirs but for at
   * most this share of it. Default 0.
   */
  readonly revealed?: number;
  /**
   * Mass of the victim's messages at outputs that are no atom, where the blanket is taken as zero. Default 0.
   */
  readonly uncovered?: number;
  /**
   * The inputs are corners: the masses of any pair beside any input of the others, atoms being told apart by
   * their ratios, are an average of the masses given here.
   */
  readonly corners?: boolean;
}

/**
 * All pairs of the victim's inputs, up to symmetry or proved to be no worse than these, each against all
 * inputs of the others (docs/sharp-bound.md). The worst entry gives a sound upper bound.
 */
export interface TypedInputs {
  readonly pairs: readonly TypedPair[];
  /**
   * The same on a grid of the victim's inputs that suits epsilons of about this size: `pairs` suit one size
   * only. None where they would be too many, which says nothing.
   */
  readonly pairsNear?: (epsilon: number) => readonly TypedPair[];
  /** From this epsilon on there are none, as the bound would not be below the blanket's. */
  readonly saysNothingFrom?: number;
  /** Pairs that are not among them, or stand for such: their blankets, whose bound (F2) is small enough. */
  readonly rest?: readonly LikelihoodAtoms[];
  /** How many different inputs there are; absent where they cannot be counted. */
  readonly domain?: number;
  /** A bound takes seconds: searches for a parameter should look at few, and end earlier. */
  readonly takesLong?: boolean;
  /** Of smaller deltas a bound takes too long, and none is looked for; by default 1e-20. */
  readonly leastDelta?: number;
  /**
   * The same with fewer inputs of the others, of whom more count as revealed: for curves, whose points are
   * many. Absent where that gains little.
   */
  readonly sparser?: () => TypedInputs;
}

/** Everything an accountant can use of one mechanism. */
export interface AmplificationProfile {
  /** The published parameters; null where the literature gives none. */
  readonly variationRatio: VariationRatio | null;
  /**
   * What the literature prints in their place, where that is valid but not the mechanism's own: a larger
   * beta.
   */
  readonly printedVariationRatio?: VariationRatio;
  /**
   * `others` is the pointwise infimum over all inputs, one entry per class of victim pairs; the worst entry
   * gives a sound upper bound.
   */
  readonly blanket: readonly LikelihoodAtoms[];
  /** `others` is the law of one fixed input (all other users hold it): each entry gives a lower bound. */
  readonly homogeneous: readonly LikelihoodAtoms[];
  /**
   * Every input of the others by its type, where that is known: what sharper upper bounds need than a
   * blanket.
   */
  readonly typed?: TypedInputs | undefined;
}
