/**
 * Counting with messages of two signs (signed-count.ts) where less noise is left than was planned: Z1 and Z2
 * are negative binomial of a shape h below 1, no longer geometric, and Z3 has the law of what is left. The
 * two numbers that are seen have no closed form then, and their masses are added up (docs/noisy-counts.md).
 */
import { CompensatedSum, Real, requireOpenUnit, requireNonNegative, ROUNDOFF } from '@shuffle-dp/core';
import type { PrivacyProfile } from '../privacy-profile.ts';
import { bracketOf, Excess } from './excess-sum.ts';
import type { NoiseLaw } from './noise-law.ts';
import type { SignedCount } from './signed-count.ts';

export interface SignedShare extends SignedCount {
  /** The shape h of Z1 and Z2, in (0, 1): the share of the planned noise that is left. */
  readonly share: number;
}

/** What may be left out of a law: far less than any delta of use. */
const LEFT_OUT = 1e-30;
/** Products that are added up: a second or two. */
const MOST_PRODUCTS = 2e9;
/** Masses that are held. */
const MOST_HELD = 2e7;

/**
 * Bracket of the larger of D(P, Q) and D(Q, P) at an epsilon, x = 1 against x = 0; what does not depend on
 * epsilon is added up once.
 *
 * With g the law of Z1 and Z2, and R_d(w) = sum over j of g(j + d) g(j) f(w - j), seeing u times +1 and v
 * times -1 has the mass Q = R_|u - v|(min(u, v)), and P is that of u - 1 and v.
 * @returns null for laws too wide to be added up
 * @throws ParameterError for a ratio or a share outside (0, 1), and an epsilon < 0
 * @example signedShareProfile({ ratio: 0.5, shared: negativeBinomialNoise(3, 1), share: 0.5 })(0.5).upper // 0.398651
 */
export function signedShareProfile(count: SignedShare): PrivacyProfile | null {
  requireOpenUnit('ratio', count.ratio);
  requireOpenUnit('share', count.share);
  const rows = rowsOf(count);
  if (rows === null) return null;
  const { length: width } = rows[0]!;
  const none = new Float64Array(width);
  // Of a product of two masses of Z1 and Z2 each step of a recursion counts four roundings, and a sum one a
  // term.
  const error = count.shared.error + 6 * ROUNDOFF * (rows.length + 8);
  return (epsilon) => {
    requireNonNegative('epsilon', epsilon);
    return bracketOf({ error, cut: LEFT_OUT }, epsilon, (growth) => {
      const [first, second] = [new Excess(), new Excess()];
      const see = (p: number, q: number): void => {
        first.add(p, growth * q);
        second.add(q, growth * p);
      };
      rows.forEach((row, d) => {
        const further = rows[d + 1] ?? none;
        for (let w = 0; w < width; w++) {
          // u = v + d + 1 and v = w; then u = w and v = w + d.
          see(row[w]!, further[w]!);
          see(w === 0 ? 0 : further[w - 1]!, row[w]!);
        }
      });
      return [first.total(), second.total()];
    });
  };
}

/** R_d for all d that count, at w from the first number of the shared law on; null for too many. */
function rowsOf({ ratio, shared, share }: SignedShare): Float64Array[] | null {
  const least = leastLeftOut(ratio, share);
  const own = shareOfGeometric(ratio, share, least);
  const common = withoutEnds(shared);
  const width = common.length + (least >> 1) + 1;
  const [products, held] = [(least * least * common.length) / 4, least * width];
  if (products > MOST_PRODUCTS || held > MOST_HELD) return null;
  return Array.from({ length: least }, (_, d) => {
    const row = new Float64Array(width);
    // Z1 + Z2 below `least`: the rest is left out.
    for (let j = 0; 2 * j + d < least; j++) {
      const weight = own[j + d]! * own[j]!;
      for (let z = 0; z < common.length; z++) row[j + z]! += weight * common[z]!;
    }
    return row;
  });
}

/** (1 - a)^h C(k + h - 1, k) a^k. */
function shareOfGeometric(ratio: number, share: number, length: number): Float64Array {
  const own = new Float64Array(length);
  own[0] = Real.exp(share * Real.log1p(-ratio));
  for (let k = 1; k < length; k++) own[k] = (own[k - 1]! * ratio * (k - 1 + share)) / k;
  return own;
}

/**
 * Z1 + Z2 is at least this with probability LEFT_OUT at most: it is negative binomial of shape 2 h, whose
 * masses are (k + 1) a^k (1 - a)^(2h) at most.
 */
function leastLeftOut(ratio: number, share: number): number {
  const rest = 1 - ratio;
  const scale = Real.exp(2 * share * Real.log(rest));
  const tail = (k: number): number =>
    scale * Real.exp(k * Real.log(ratio)) * ((k + 1) / rest + ratio / (rest * rest));
  let k = 2;
  while (tail(k) > LEFT_OUT) k = Math.ceil(k * 1.05) + 1;
  return k;
}

/** Masses in a row, without as many at either end as together have LEFT_OUT at most. */
function withoutEnds({ logMass }: NoiseLaw): Float64Array {
  const masses = logMass.map(Real.exp);
  const end = (from: number, step: 1 | -1): number => {
    const sum = new CompensatedSum();
    let i = from;
    for (; i >= 0 && i < masses.length; i += step) {
      sum.add(masses[i]!);
      if (sum.value > LEFT_OUT / 2) break;
    }
    return i;
  };
  return masses.slice(end(0, 1), end(masses.length - 1, -1) + 1);
}
