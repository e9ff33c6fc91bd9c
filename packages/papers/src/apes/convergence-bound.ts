/**
 * The convergence bound of Y. Liu et al., "Echo of Neighbors", AAAI 2023, Lemmas 7 and 8, as printed and as
 * proved (docs/federated-learning.md, "Theorem 2").
 *
 * A round takes w to w + s + eta: s is the average step of users who each minimize their loss plus mu/2
 * |. - w|^2 up to a residual, eta the perturbation. Printed, the term |gradient| |eta| has the factor
 * 1/mu + BL(1 + alpha)/mu_bar; eta is added to w as it is, and the factor that the proof yields is
 * 1 + BL(1 + alpha)/mu_bar.
 */

export interface LossConstants {
  /** L: gradients of all losses are L-Lipschitz. */
  readonly smoothness: number;
  /** beta of the Polyak-Lojasiewicz condition: the gap is at most |gradient|^2 / (2 beta). */
  readonly polyakLojasiewicz: number;
  /** l: no gradient of the mean loss is longer, where the rounds lead. */
  readonly lipschitz: number;
  /** B of Definition 6, at least 1. */
  readonly dissimilarity: number;
  /** mu: weight of the proximal term. */
  readonly proximal: number;
  /** mu_bar: strong convexity of a user's loss with the proximal term. */
  readonly convexity: number;
  /** alpha: the residual gradient of a user's step over that at its start. */
  readonly inexactness: number;
}

export type Reading = 'printed' | 'proved';

/** The coefficients of |gradient|^2, |gradient| |eta| and |eta|^2 in Lemma 7. */
export function singleRound(constants: LossConstants, reading: Reading): [number, number, number] {
  const { smoothness, dissimilarity, proximal, convexity, inexactness } = constants;
  const step = ((1 + inexactness) * dissimilarity) / convexity;
  return [
    (inexactness * dissimilarity - 1) / proximal +
      (smoothness * step) / proximal +
      (smoothness * step ** 2) / 2,
    (reading === 'printed' ? 1 / proximal : 1) + smoothness * step,
    smoothness / 2,
  ];
}

/** Of the perturbation of one round. */
export interface PerturbationSize {
  /** E |eta| */
  readonly norm: number;
  /** E |eta|^2 */
  readonly square: number;
}

/**
 * Lemma 8: the bound of the gap after 0, 1, ..., `rounds` rounds. Printed, the last term of a_1 is twice what
 * Lemma 7 gives, which is weaker and kept in both readings.
 * @throws RangeError where the printed argument does not apply: a_1 bounds the gap only if Lemma 7's first
 * coefficient is not positive
 */
export function gapBounds(
  constants: LossConstants,
  reading: Reading,
  { norm, square }: PerturbationSize,
  initialGap: number,
  rounds: number,
): number[] {
  const [first, second, third] = singleRound(constants, reading);
  if (first > 0) throw new RangeError(`Lemma 7 gives ${first} times the squared gradient, which must fall`);
  const { smoothness, polyakLojasiewicz: beta, lipschitz, dissimilarity, convexity, inexactness } = constants;
  const doubled = (smoothness * (((1 + inexactness) * dissimilarity) / convexity) ** 2) / 2;
  const contraction = 1 + 2 * beta * (first + doubled);
  const added = lipschitz * second * norm + third * square;
  const bounds = [initialGap];
  for (let round = 0; round < rounds; round++) bounds.push(contraction * bounds[round]! + added);
  return bounds;
}

/**
 * Lemma 10, Equations (28) and (29): E |eta|^2 after calibration as printed, of one dimension, by the
 * smallest budget alone.
 * @param clipBound C
 */
export function printedPerturbation(smallestBudget: number, clipBound: number): PerturbationSize {
  const growth = Math.expm1(smallestBudget);
  const square = clipBound ** 2 * (-8 / growth + 8 / growth ** 2 + 24 / smallestBudget ** 2);
  return { norm: Math.sqrt(square), square };
}

/**
 * What is proved of gradient steps w - step (gradient + error), with any error: the gap after 0, 1, ...,
 * `rounds` rounds.
 * @param step at most 1/L
 * @param meanSquare at least E |error|^2 in every round
 */
export function gradientStepGaps(
  polyakLojasiewicz: number,
  step: number,
  meanSquare: number,
  initialGap: number,
  rounds: number,
): number[] {
  const gaps = [initialGap];
  for (let round = 0; round < rounds; round++)
    gaps.push((1 - polyakLojasiewicz * step) * gaps[round]! + (step / 2) * meanSquare);
  return gaps;
}
