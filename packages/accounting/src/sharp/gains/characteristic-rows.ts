/**
 * Sines of a law's gains times whole multiples of a step, taken once for all tilts: a tilt changes the
 * weights of the values and none of the angles. With them a characteristic function costs two products a
 * value (blanket/characteristic-function.ts has the formula). Sines are taken at few multiples: the angles of
 * all others are sums of two of those.
 */
import { Real } from '@shuffle-dp/core';
import type { LossLaw } from '../../blanket/loss-law.ts';
import type { CharacteristicPoint } from '../../blanket/negligible-stretch.ts';

/** Of one multiple v of the step, for each value g: 1 - cos(vg), with all its digits, and sin(vg). */
interface Row {
  readonly versines: Float64Array;
  readonly sines: Float64Array;
}

/** Steps are rounded down to so many an octave, which tilts of one law then share. */
const STEPS_PER_OCTAVE = 4;
/** Of large multiples those with few leading bits are asked for, so that tilts share them as well. */
const LEADING = 16;
/** What is kept of one law: steps, and rows of one step. */
const [MOST_STEPS, MOST_ROWS] = [16, 256];
/** Rows whose numbers are made at once. */
const ROWS_TOGETHER = 4;
/** Sines are taken at multiples of this, and at what is left below it. */
const STRIDE = 16;
/**
 * What a value's numbers may be off, in units of rounding, beside the angle's own: those of two rows, and
 * four products of numbers that are at most the angle, or its square, or 2.
 */
export const ROW_ROUNDINGS = 40;

const turn = new Float64Array(2);
/** Of each law its steps, by their place among all. */
const ofLaws = new WeakMap<LossLaw, Map<number, CharacteristicRows>>();

export class CharacteristicRows {
  readonly step: number;
  readonly #values: Float64Array;
  readonly #rows = new Map<number, Row>();
  /** For multiples beyond those that are kept, and the last one among them at which sines were taken. */
  #scratch: Row | null = null;
  #base: { readonly row: Row; k: number } | null = null;
  /** Room for the next rows, of which `#taken` numbers are in use: of arrays of their own each costs more. */
  #room = new Float64Array(0);
  #taken = 0;

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
    const { versines, sines } = this.#row(k);
    let re = 0;
    let im = 0;
    // In blocks, so that rounding does not grow with the number of values.
    for (let start = 0; start < sines.length; start += 64) {
      const end = Math.min(sines.length, start + 64);
      let blockRe = 0;
      let blockIm = 0;
      for (let i = start; i < end; i++) {
        blockRe -= weights[i]! * versines[i]!;
        blockIm += weights[i]! * sines[i]!;
      }
      re += blockRe;
      im += blockIm;
    }
    target[0] = re;
    target[1] = im;
  }

  /** Its slope in v, which few points are asked for. */
  slopeAt(k: number, weights: Float64Array): Pick<CharacteristicPoint, 'slopeRe' | 'slopeIm'> {
    const { versines, sines } = this.#row(k);
    const values = this.#values;
    let slopeRe = 0;
    let slopeIm = 0;
    for (let i = 0; i < values.length; i++) {
      slopeRe -= weights[i]! * sines[i]! * values[i]!;
      slopeIm -= weights[i]! * versines[i]! * values[i]!;
    }
    return { slopeRe, slopeIm };
  }

  #row(k: number): Row {
    const known = this.#rows.get(k);
    if (known !== undefined) return known;
    const beyond = k % STRIDE;
    const isKept = this.#rows.size < MOST_ROWS || k < STRIDE;
    const row = isKept ? this.#newRow() : (this.#scratch ??= this.#newRow());
    if (k === beyond || beyond === 0) this.#fill(row, k);
    else addTurns(row, this.#baseRow(k - beyond), this.#row(beyond));
    if (isKept) this.#rows.set(k, row);
    return row;
  }

  /** Of a multiple of the stride. */
  #baseRow(k: number): Row {
    const known = this.#rows.get(k);
    if (known !== undefined) return known;
    if (this.#rows.size < MOST_ROWS) return this.#row(k);
    this.#base ??= { row: this.#newRow(), k: NaN };
    if (this.#base.k !== k) this.#fill(this.#base.row, k);
    this.#base.k = k;
    return this.#base.row;
  }

  #newRow(): Row {
    const count = this.#values.length;
    if (this.#taken + 2 * count > this.#room.length) {
      this.#room = new Float64Array(2 * count * ROWS_TOGETHER);
      this.#taken = 0;
    }
    const middle = this.#taken + count;
    const versines = this.#room.subarray(this.#taken, middle);
    this.#taken = middle + count;
    return { versines, sines: this.#room.subarray(middle, this.#taken) };
  }

  #fill(row: Row, k: number): void {
    for (let i = 0; i < this.#values.length; i++) {
      Real.sinCos(((k * this.step) / 2) * this.#values[i]!, turn);
      const twice = 2 * turn[0]!;
      row.versines[i] = twice * turn[0]!;
      row.sines[i] = twice * turn[1]!;
    }
  }
}

/** 1 - cos and sin of the sums of two rows' angles, of which no value has two signs. */
function addTurns(row: Row, a: Row, b: Row): void {
  for (let i = 0; i < row.sines.length; i++) {
    const versineA = a.versines[i]!;
    const sineA = a.sines[i]!;
    const versineB = b.versines[i]!;
    const sineB = b.sines[i]!;
    row.versines[i] = versineA + versineB - versineA * versineB + sineA * sineB;
    row.sines[i] = sineA + sineB - sineA * versineB - versineA * sineB;
  }
}

/** The largest multiple up to k, and after `from`, that tilts share; k itself where there is none. */
export function sharedMultiple(from: number, k: number): number {
  let unit = 1;
  while (unit * LEADING < k) unit *= 2;
  const shared = Math.floor(k / unit) * unit;
  return shared > from ? shared : k;
}
