/**
 * Every input that the others may hold, as accountants read it: atoms written one after the other, equal
 * ratios together.
 */
import type { OtherInput, TypedInputs, TypedPair } from '@shuffle-dp/core';
import { requireMasses } from './likelihood-atoms.ts';

/** Of noise: at smaller deltas a bound takes up to half a minute. */
export const LEAST_DELTA_OF_NOISE = 1e-16;

/**
 * One atom: its mass under the victim's two inputs, under this input of another user, and at least under
 * every input.
 */
export type TypedAtom = readonly [victim0: number, victim1: number, own: number, blanket: number];

/**
 * Atoms without mass anywhere are left out, and those with equal ratios are taken together.
 * @throws RangeError as `requireMasses`
 * @example otherInput('a value', [[0.2, 0.1, 0.1, 0.1], [0.4, 0.2, 0.2, 0.2]]).own.length // 1
 */
export function otherInput(label: string, atoms: readonly TypedAtom[]): OtherInput {
  const kept: [number, number, number, number][] = [];
  const near = new Map<string, typeof kept>();
  for (const atom of atoms) {
    const [p, q, own, blanket] = atom;
    requireMasses(label, atom);
    if (!(p > 0 || q > 0 || own > 0)) continue;
    // Equal ratios are looked for among those with equal leading digits: a pair that is cut there stays two
    // atoms.
    const key = [p, q, own].map((mass) => Math.fround(mass / blanket)).join();
    const candidates = near.get(key) ?? [];
    near.set(key, candidates);
    const alike = candidates.find((other) => haveEqualRatios(other, atom));
    if (alike) {
      alike[0] += p;
      alike[1] += q;
      alike[2] += own;
      alike[3] += blanket;
      continue;
    }
    const first: (typeof kept)[number] = [p, q, own, blanket];
    kept.push(first);
    candidates.push(first);
  }
  const column = (i: 0 | 1 | 2 | 3): Float64Array => Float64Array.from(kept, (atom) => atom[i]);
  return Object.freeze({
    label,
    victim0: column(0),
    victim1: column(1),
    own: column(2),
    blanket: column(3),
  });
}

/** To the last few bits: what ratios of rounded masses cannot tell apart. */
function haveEqualRatios(a: TypedAtom, b: TypedAtom): boolean {
  return a.every((mass, i) => {
    const left = mass * b[3];
    const right = b[i]! * a[3];
    return Math.abs(left - right) <= 8 * Number.EPSILON * Math.max(left, right);
  });
}

/** One pair of the victim's inputs, which all others are mapped to by symmetry. */
export function singlePair(label: string, inputs: readonly OtherInput[], domain?: number): TypedInputs {
  const pair: TypedPair = { label, inputs, symmetric: true };
  return { pairs: [pair], ...(domain !== undefined && { domain }) };
}
