/**
 * Sines of a law's gains times whole multiples of a step, taken once for all tilts: a tilt changes the
 * weights of the values and none of the angles. With them a characteristic function costs two products a
 * value (blanket/characteristic-function.ts has the formula). Sines are taken at multiples of one digit only:
 * the angles of all others are sums of those.
 */
import { Real } from '@shuffle-dp/core';
import type { LossLaw } from '../../blanket/loss-law.ts';
import type { CharacteristicPoint } from '../../blanket/negligible-stretch.ts';
import { RecentNumbers } from './recent-numbers.ts';

/** Steps are rounded down to so many an octave, which tilts of one law then share. */
const STEPS_PER_OCTAVE = 2;
/** Of large multiples those with few leading bits are asked for, so that tilts share them as well. */
const LEADING = 16;
/** Steps of one law that are kept. */
const MOST_STEPS = 16;
/** Sines are taken at multiples that have one digit other than zero to this base. */
const BASE = 4;
/** What a value's numbers may be off for each digit, in units of rounding, beside the angle's own. */
const DIGIT_ROUNDINGS = 20;

/** The same for a multiple: those of a row for each digit, and four products of what is at most 2. */
export function rowRoundings(multiple: number): number {
  return DIGIT_ROUNDINGS * (2 + Real.log(multiple) / Real.log(BASE));
}

const turn = new Float64Array(2);
/** Of each law its steps, by their place among all. */
const ofLaws = new WeakMap<LossLaw, Map<number, CharacteristicRows>>();
/** For each value g of a row, at the multiple v: 1 - cos(vg), with all its digits; then sin(vg) for each. */
const recent = new RecentNumbers();

export class CharacteristicRows {
  readonly step: number;
  readonly #values: Float64Array;
  /** Where rows were written, by their multiples. */
  readonly #rows = new Map<number, number>();

  private constructor(values: Float64Array, step: number) {
    this.#values = values;
    this.step = step;
  }

  /** Rows of the largest step that is shared and at most the given one. */
  static of(law: LossLaw, step: number): CharacteristicRows {
    let ofLaw = ofLaws.get(law);
    if (ofLaw === undefined || ofLaw.size >= MOST_STEPS) ofLaws.set(law, (ofLaw = new Map()));
    const place = Math.floor((STEPS_PER_OCTAVE * Real.log(step)) / Math.LN2);
    let rows = ofLaw.get(place);
    if (rows === undefined) {
      const shared = Math.min(step, Real.exp((place / STEPS_PER_OCTAVE) * Math.LN2));
      ofLaw.set(place, (rows = new CharacteristicRows(law.values, shared)));
    }
    return rows;
  }

  /** Writes real and imaginary part of E (e^(ivG) - 1) under a law of weights, at the k-th multiple. */
  at(k: number, weights: Float64Array, target: Float64Array): void {
    const versines = this.#row(k);
    const { numbers } = recent;
    const count = this.#values.length;
    const sines = versines + count;
    let re = 0;
    let im = 0;
    // In blocks, so that rounding does not grow with the number of values.
    for (let start = 0; start < count; start += 64) {
      const end = Math.min(count, start + 64);
      let blockRe = 0;
      let blockIm = 0;
      for (let i = start; i < end; i++) {
        blockRe -= weights[i]! * numbers[versines + i]!;
        blockIm += weights[i]! * numbers[sines + i]!;
      }
      re += blockRe;
      im += blockIm;
    }
    target[0] = re;
    target[1] = im;
  }

  /** Its slope in v, which few points are asked for. */
  slopeAt(k: number, weights: Float64Array): Pick<CharacteristicPoint, 'slopeRe' | 'slopeIm'> {
    const versines = this.#row(k);
    const { numbers } = recent;
    const values = this.#values;
    const sines = versines + values.length;
    let slopeRe = 0;
    let slopeIm = 0;
    for (let i = 0; i < values.length; i++) {
      slopeRe -= weights[i]! * numbers[sines + i]! * values[i]!;
      slopeIm -= weights[i]! * numbers[versines + i]! * values[i]!;
    }
    return { slopeRe, slopeIm };
  }

  /** Where the numbers of a multiple begin among the recent ones. */
  #row(k: number): number {
    const count = 2 * this.#values.length;
    const known = this.#rows.get(k);
    if (known !== undefined && recent.has(known, count)) return recent.placeOf(known);
    let unit = 1;
    while (k % (unit * BASE) === 0) unit *= BASE;
    const lowest = k % (unit * BASE);
    // Of both rows that are added up neither is so old that the other one, or their sum, is written over it.
    const [high, low] = k === lowest ? [-1, -1] : [this.#row(k - lowest), this.#row(lowest)];
    const written = recent.take(count);
    const row = recent.placeOf(written);
    if (k === lowest) this.#fill(row, k);
    else addTurns(recent.numbers, this.#values.length, row, high, low);
    this.#rows.set(k, written);
    return row;
  }

  #fill(row: number, k: number): void {
    const { numbers } = recent;
    const values = this.#values;
    const sines = row + values.length;
    const half = (k * this.step) / 2;
    for (let i = 0; i < values.length; i++) {
      Real.sinCos(half * values[i]!, turn);
      const twice = 2 * turn[0]!;
      numbers[row + i] = twice * turn[0]!;
      numbers[sines + i] = twice * turn[1]!;
    }
  }
}

/** 1 - cos and sin of the sums of the angles of rows a and b, of which no value has two signs. */
function addTurns(numbers: Float64Array, count: number, row: number, a: number, b: number): void {
  for (let i = 0; i < count; i++) {
    const versineA = numbers[a + i]!;
    const sineA = numbers[a + count + i]!;
    const versineB = numbers[b + i]!;
    const sineB = numbers[b + count + i]!;
    numbers[row + i] = versineA + versineB - versineA * versineB + sineA * sineB;
    numbers[row + count + i] = sineA + sineB - sineA * versineB - versineA * sineB;
  }
}

/** The largest multiple up to k, and after `from`, that tilts share; k itself where there is none. */
export function sharedMultiple(from: number, k: number): number {
  let unit = 1;
  while (unit * LEADING < k) unit *= 2;
  const shared = Math.floor(k / unit) * unit;
  return shared > from ? shared : k;
}
