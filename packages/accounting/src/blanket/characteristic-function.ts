/**
 * E (e^(itG) - 1) of a law of weights, without the 1 that would take its digits: by half the angle, -2
 * sin^2 + 2 i sin cos. Sums go in blocks, so that rounding does not grow with the number of values.
 */
import { Real } from '@shuffle-dp/core';

/** Sine and cosine of one angle. */
const turn = new Float64Array(2);

/**
 * Writes the real and the imaginary part at t, and their slopes in t, which take the same sines: four
 * numbers. The slope of the imaginary part is without the mean, which it has at 0.
 */
export function characteristicAt(
  values: Float64Array,
  weights: Float64Array,
  t: number,
  target: Float64Array,
): void {
  const half = t / 2;
  let re = 0;
  let im = 0;
  let slopeRe = 0;
  let slopeIm = 0;
  for (let start = 0; start < values.length; start += 64) {
    const end = Math.min(values.length, start + 64);
    let blockRe = 0;
    let blockIm = 0;
    for (let i = start; i < end; i++) {
      // Tilting leaves nothing of values far below zero.
      if (weights[i] === 0) continue;
      const value = values[i]!;
      Real.sinCos(half * value, turn);
      const sin = turn[0]!;
      const cos = turn[1]!;
      const scaled = 2 * weights[i]! * sin;
      blockRe -= scaled * sin;
      blockIm += scaled * cos;
      slopeRe -= scaled * cos * value;
      slopeIm -= scaled * sin * value;
    }
    re += blockRe;
    im += blockIm;
  }
  target[0] = re;
  target[1] = im;
  target[2] = slopeRe;
  target[3] = slopeIm;
}

/**
 * Turns between two points at which a walk takes sines anew. A turn adds at most 3 units in the last place of
 * 1 to an angle.
 */
export const STRIDE = 32;

/**
 * The same at whole multiples k of a step, for ever larger k. Where k grows by a power of two every angle
 * turns by an amount of its own, known from before: four multiplications take the place of two sines. Errors
 * are relative where an angle is small, since all terms have one sign there, and otherwise at most 3 STRIDE
 * units in the last place of 1, of an angle above 1.
 */
export class CharacteristicWalk {
  /**
   * The weight of the values that are left out, each of nearly none: the result is wrong by at most twice as
   * much.
   */
  readonly leftOut: number;
  readonly #weights: Float64Array;
  readonly #halfAngles: Float64Array;
  readonly #sin: Float64Array;
  readonly #cos: Float64Array;
  /** Sines and cosines of 2^j half angles. */
  readonly #turns: (Turn | undefined)[] = [];
  readonly #noTurn: Turn;
  #k = 0;
  #untilAnew = 0;

  /** @param negligible the weight that may be left out */
  constructor(values: Float64Array, weights: Float64Array, step: number, negligible: number) {
    const kept: number[] = [];
    let leftOut = 0;
    weights.forEach((weight, i) => {
      if (weight > negligible / weights.length) kept.push(i);
      else leftOut += weight;
    });
    this.leftOut = leftOut;
    this.#weights = Float64Array.from(kept, (i) => weights[i]!);
    this.#halfAngles = Float64Array.from(kept, (i) => (step / 2) * values[i]!);
    this.#sin = new Float64Array(kept.length);
    this.#cos = new Float64Array(kept.length).fill(1);
    this.#noTurn = [new Float64Array(kept.length), new Float64Array(kept.length).fill(1)];
  }

  at(k: number, target: Float64Array): void {
    const exponent = Math.log2(k - this.#k);
    const turns = this.#untilAnew-- > 0 && Number.isInteger(exponent);
    if (!turns) this.#start(k);
    this.#turnAndSum(turns ? this.#turnOf(exponent) : this.#noTurn, target);
    this.#k = k;
  }

  #start(k: number): void {
    for (let i = 0; i < this.#sin.length; i++) {
      const angle = k * this.#halfAngles[i]!;
      Real.sinCos(angle, turn);
      this.#sin[i] = turn[0]!;
      this.#cos[i] = turn[1]!;
    }
    this.#untilAnew = STRIDE;
  }

  #turnOf(exponent: number): Turn {
    return (this.#turns[exponent] ??= [
      this.#halfAngles.map((angle) => Real.sin(2 ** exponent * angle)),
      this.#halfAngles.map((angle) => Real.cos(2 ** exponent * angle)),
    ]);
  }

  #turnAndSum([turnSin, turnCos]: Turn, target: Float64Array): void {
    const [sin, cos, weights] = [this.#sin, this.#cos, this.#weights];
    let re = 0;
    let im = 0;
    for (let start = 0; start < sin.length; start += 64) {
      const end = Math.min(sin.length, start + 64);
      let blockRe = 0;
      let blockIm = 0;
      for (let i = start; i < end; i++) {
        const s = sin[i]!;
        const c = cos[i]!;
        const ds = turnSin[i]!;
        const dc = turnCos[i]!;
        const turned = s * dc + c * ds;
        const next = c * dc - s * ds;
        sin[i] = turned;
        cos[i] = next;
        const scaled = 2 * weights[i]! * turned;
        blockRe -= scaled * turned;
        blockIm += scaled * next;
      }
      re += blockRe;
      im += blockIm;
    }
    target[0] = re;
    target[1] = im;
  }
}

type Turn = readonly [sin: Float64Array, cos: Float64Array];
