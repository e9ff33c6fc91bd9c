/**
 * Divergences of products of likelihood ratios, as functions of epsilon: one convolution serves all epsilons
 * near each other.
 */
import type { Waves } from './conditioned-count.ts';
import type { Side } from './loss-lattice.ts';
import { largestLoss, massError, ratioSpan, typicalVariance, type PairFactor } from './pair-factor.ts';
import { convolvedDivergence, latticeProduct, tiltFor, type DivergencePart } from './product-loss.ts';

const NO_WAVE: Waves = { frequency: 0, coefficients: [{ re: 1, im: 0 }] };

/** Lattice steps per standard deviation of the total loss. */
const STEPS = { upper: 64, lower: 1024 } as const;
/** Longest lattice of one factor; a coarser step is taken beyond. */
const LONGEST = { upper: 4096, lower: 16384 } as const;
/**
 * One convolution serves so many deviations of epsilon: a search looks at many, a lower end at two or three
 * close by.
 */
const CELL = { upper: 1.5, lower: 0.5 } as const;
/**
 * Of the value: where more is charged for rounding and wrapping, epsilon gets a convolution of its own. A
 * lower lattice loses more anyway.
 */
const MOST_CHARGED = { upper: 1e-7, lower: 1e-5 } as const;
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
  const deviation = Math.sqrt(typicalVariance(factors));
  const longest = factors.reduce((most, factor) => Math.max(most, ratioSpan(factor)), 0);
  const product = latticeProduct(
    factors,
    side,
    Math.max(deviation / STEPS[side], longest / LONGEST[side]),
    waves,
  );
  const error = 1e-12 + massError(factors);

  const width = CELL[side] * deviation;
  const known = new Map<number, (epsilon: number) => DivergencePart>();
  const nearby = (epsilon: number): DivergencePart => {
    const from = Math.floor(epsilon / width) * width;
    let divergence = known.get(from);
    if (divergence === undefined) {
      divergence = convolvedDivergence(
        product,
        tiltFor(product, from),
        from,
        from + width,
        MOST_WRAPPED[side],
      );
      if (known.size >= MOST_KNOWN) known.delete(known.keys().next().value!);
      known.set(from, divergence);
    }
    return divergence(epsilon);
  };
  const alone = (epsilon: number, tilt: number): number =>
    convolvedDivergence(product, tilt, epsilon, epsilon, 0)(epsilon).value;

  const divergence = (epsilon: number): number => {
    const { value, charged } = nearby(epsilon);
    if (value <= product.weights && charged <= MOST_CHARGED[side]) return value;
    const tilt = tiltFor(product, epsilon);
    const own = alone(epsilon, tilt);
    // Laws of few atoms far apart can be tilted so far that rounding is all that is left: no divergence is
    // above 1. Any smaller tilt is as valid, and the sharpest of some is taken.
    if (own <= product.weights) return own;
    let best = side === 'upper' ? product.weights : 0;
    for (let tries = 1, smaller = tilt / 2; tries <= MOST_TILTS && smaller > 0.5; tries++, smaller /= 2) {
      const value = alone(epsilon, smaller);
      if (side === 'upper' ? value < best : value > best && value <= product.weights) best = value;
    }
    return best;
  };
  return (epsilon) => {
    if (epsilon >= largest) return 0;
    const value = divergence(epsilon);
    return side === 'upper' ? Math.max(value * (1 + error), Number.MIN_VALUE) : value * (1 - error);
  };
}
