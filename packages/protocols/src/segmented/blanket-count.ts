/**
 * The number of blankets that one item of the domain has over all users, where these numbers are independent from item to
 * item: Poisson, or negative binomial. Both are one family in the mean and the success probability q: the variance is
 * mean / q, and q = 1 is Poisson, the limit of the others.
 */

/** Mass of the law below which its far tails are cut, each. */
const CUT = 1e-40;

export interface BlanketCountLaw {
  /** The count of the first mass. */
  readonly first: number;
  readonly masses: Float64Array;
  /** What is missing at most, under the law and under the law moved up by one. */
  readonly cut: number;
}

/**
 * @param mean expected blankets of the item, positive
 * @param successProbability in (0, 1]
 */
export function blanketCountLaw(mean: number, successProbability: number): BlanketCountLaw {
  const growth = growthTo(mean, successProbability);
  const mode = Math.max(0, Math.floor(mean - (1 - successProbability) / successProbability));
  const below: number[] = [];
  const above: number[] = [1];
  // Ratios from the mode outwards; the normalisation comes last, so no gamma function is needed. Beyond the mode the ratios
  // fall, or rise to 1 - q: what is left is below a geometric series.
  for (let k = mode + 1, mass = 1; ; k++) {
    mass *= growth(k);
    above.push(mass);
    if (mass < CUT * (1 - Math.max(growth(k + 1), 1 - successProbability))) break;
  }
  for (let k = mode, mass = 1; k >= 1; k--) {
    mass /= growth(k);
    below.push(mass);
    if (k > 1 && mass < CUT * (1 - 1 / growth(k - 1))) break;
  }
  const masses = Float64Array.from([...below.reverse(), ...above]);
  let total = 0;
  for (const mass of masses) total += mass;
  for (let i = 0; i < masses.length; i++) masses[i]! /= total;
  // Each break bounds its tail with the last mass kept, which covers the move by one; rounding has room besides.
  return { first: mode - below.length, masses, cut: 8 * CUT };
}

/**
 * The likelihood ratio f(k - 1) / f(k), less 1, of one blanket more against none: without cancellation near 0, where the losses are
 * that matter.
 */
export function ratioLessOne(k: number, mean: number, successProbability: number): number {
  if (k === 0) return -1;
  return (
    (successProbability * (k - mean) + 1 - successProbability) /
    (mean * successProbability + (k - 1) * (1 - successProbability))
  );
}

/** f(k) / f(k - 1) as a function of k. */
function growthTo(mean: number, successProbability: number): (k: number) => number {
  const slope = 1 - successProbability;
  const base = mean * successProbability;
  return (k) => (base + (k - 1) * slope) / k;
}
