/**
 * Divergences of products of likelihood ratios, as functions of epsilon: one convolution serves all epsilons
 * near each other.
 */
import { keptByKey, onDemand } from '@shuffle-dp/core';
import type { Waves } from '../conditioned-count.ts';
import { latticeProduct } from './lattice-product.ts';
import type { Side } from './loss-lattice.ts';
import { largestLoss, ratioSpan, type PairFactor } from './pair-factor.ts';
import { convolvedDivergence, type DivergencePart } from './product-loss.ts';
import { typicalLoss } from './typical-loss.ts';

const NO_WAVE: Waves = { frequency: 0, coefficients: [{ re: 1, im: 0 }], below: 0 };

/** How fine a lattice is. */
interface Lattice {
  /** Steps per standard deviation of the total loss; of one count's for a lower end. */
  readonly steps: number;
  /** Longest lattice of one factor; a coarser step is taken beyond. */
  readonly longest: number;
}
/** Finer ones are for lower ends beside losses of much mass, which a split may carry across epsilon: */
const LATTICES = {
  upper: [{ steps: 64, longest: 4096 }],
  lower: [
    { steps: 45, longest: 4096 },
    { steps: 180, longest: 8192 },
    { steps: 720, longest: 16_384 },
  ],
} as const satisfies Record<Side, readonly Lattice[]>;
/** where more than this share is lost. */
const MOST_LOST = 0.02;
/**
 * One convolution serves so many deviations of epsilon: a search looks at many, a lower end at two or three
 * close by.
 */
const CELL = { upper: 1.5, lower: 0.5 } as const;
/**
 * Of the value: where more is charged for rounding and wrapping, epsilon gets a convolution of its own. A
 * lower end loses more to the split anyway.
 */
const MOST_CHARGED = { upper: 1e-7, lower: 1e-5 } as const;
/** And where that is most of it, other tilts are tried. */
const MOSTLY_CHARGED = 0.5;
/** Of the mass: a lower end has to pay for all of it, an upper one for what it would lose. */
const MOST_WRAPPED = { upper: Infinity, lower: 1e-7 } as const;
/** Smaller tilts that are tried where the first left nothing but rounding. */
const MOST_TILTS = 16;
/** Convolutions that are remembered. */
const MOST_KNOWN = 8;

/**
 * The part of the divergence at epsilon that atoms of finite loss have, weighed by the real part of the sum
 * of the waves: from above where that is never negative, or from below. Mass that is cut or of infinite loss
 * is the caller's.
 * @returns a pure function of epsilon, which remembers convolutions
 */
export function finiteDivergence(
  factors: readonly PairFactor[],
  side: Side,
  waves: Waves = NO_WAVE,
): (epsilon: number) => number {
  const largest = largestLoss(factors);
  const [usual, ...finer] = LATTICES[side].map((lattice) =>
    onDemand(() => divergenceOn(lattice, factors, side, waves)),
  );
  return (epsilon) => {
    if (epsilon >= largest) return 0;
    let { value, lost } = usual!()(epsilon);
    for (const next of finer) {
      if (!(lost > MOST_LOST)) break;
      const part = next()(epsilon);
      [value, lost] = [Math.max(value, part.value), part.lost];
    }
    return value;
  };
}

type Part = Pick<DivergencePart, 'value' | 'lost'>;

function divergenceOn(
  lattice: Lattice,
  factors: readonly PairFactor[],
  side: Side,
  waves: Waves,
): (epsilon: number) => Part {
  const typical = typicalLoss(factors);
  const deviation = Math.sqrt(typical.variance);
  const longest = factors.reduce((most, factor) => Math.max(most, ratioSpan(factor)), 0);
  const counts = factors.reduce((sum, { copies }) => sum + 2 * copies, 0);
  const steps = side === 'upper' ? lattice.steps : lattice.steps * Math.sqrt(counts);
  const step = Math.max(deviation / steps, longest / lattice.longest);
  const product = latticeProduct(factors, side, step, waves);

  const width = CELL[side] * deviation;
  const known = keptByKey<(epsilon: number) => DivergencePart>(MOST_KNOWN);
  const nearby = (epsilon: number): DivergencePart => {
    const from = Math.floor(epsilon / width) * width;
    const divergence = known(from, () =>
      convolvedDivergence(product, {
        tilt: typical.tiltFor(from, step),
        from,
        to: from + width,
        mostWrapped: MOST_WRAPPED[side],
      }),
    );
    return divergence(epsilon);
  };
  /** Nothing that is no number is. */
  const isSharper = ({ value }: Part, than: Part): boolean =>
    side === 'upper' ? value < than.value : value > than.value && value <= product.weights;
  const alone = (epsilon: number, tilt: number): DivergencePart =>
    convolvedDivergence(product, { tilt, from: epsilon, to: epsilon, mostWrapped: 0 })(epsilon);

  const divergence = (epsilon: number): Part => {
    const near = nearby(epsilon);
    const isSharp = near.charged <= MOST_CHARGED[side] || near.lost > MOST_LOST;
    if (near.value <= product.weights && isSharp) return near;
    const tilt = typical.tiltFor(epsilon, step);
    const first = alone(epsilon, tilt);
    const own = side === 'lower' && isSharper(near, first) ? near : first;
    // Laws of few atoms far apart can be tilted so far that rounding is all that is left: no divergence is
    // above 1. Any smaller tilt is as valid, and the sharpest of some is taken.
    const isKnown = own.value <= product.weights;
    if (isKnown && own.charged <= MOSTLY_CHARGED) return own;
    let best: Part = isKnown ? own : { value: side === 'upper' ? product.weights : 0, lost: 1 };
    for (let tries = 1, smaller = tilt / 2; tries <= MOST_TILTS && smaller > 0.5; tries++, smaller /= 2) {
      const part = alone(epsilon, smaller);
      if (!isSharper(part, best)) continue;
      best = part;
      // Smaller ones lead further from what matters.
      if (part.charged <= MOSTLY_CHARGED) break;
    }
    return best;
  };
  return (epsilon) => {
    const { value, lost } = divergence(epsilon);
    return side === 'upper'
      ? { value: Math.max(value * (1 + product.error), Number.MIN_VALUE), lost: 0 }
      : { value: value * (1 - product.error), lost };
  };
}
