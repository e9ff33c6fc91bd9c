/**
 * About the moments of a draw of the buffer at any tilt of its ratio, from a few tilts: for comparing
 * parameters, which asks for hundreds close to each other, never for a bound.
 */
import { Real } from '@shuffle-dp/core';
import { keptByWeight } from '../buffer/kept-by-weight.ts';
import { RatioTails } from '../buffer/ratio-tails.ts';
import { quintic } from '../gains/quintic.ts';
import {
  drawMoments,
  momentsOfSums,
  weightedPoints,
  type BufferLaw,
  type DrawMoments,
} from '../buffer/buffer.ts';
import { fewerDraws } from './fewer-draws.ts';

/** Between tilts, over the deviation of a buffer's mean ratio; and times the largest ratio, at most. */
const [SPACING, WIDEST] = [1, 1.5];
/** Further out tilts are asked for too seldom for a table. */
const MOST_NODES = 64;

const tablesOf = keptByWeight<DrawTable>();

export class DrawTable {
  readonly #law: BufferLaw;
  readonly #weight: number;
  readonly #spacing: number;
  /** At multiples of the spacing, those below zero at odd places. */
  readonly #nodes: (DrawMoments | undefined)[] = [];
  #tails: RatioTails | undefined;

  /** @param weight of the gains in the exponent; @param size about how many draws there are */
  static of(law: BufferLaw, weight: number, size: number): DrawTable {
    return tablesOf(law, weight, () => new DrawTable(law, weight, size));
  }

  private constructor(all: BufferLaw, weight: number, size: number) {
    const law = fewerDraws(all);
    this.#law = law;
    this.#weight = weight;
    const centre = drawMoments(law, weight, 0);
    this.#nodes[0] = centre;
    const most = law.largestPoint * law.step;
    this.#spacing = Math.min(SPACING / Math.sqrt(size * centre.variance), WIDEST / most);
  }

  /** About Chernoff's bounds. */
  get tails(): RatioTails {
    return (this.#tails ??= new RatioTails(this.#law, (slope) => this.at(slope)));
  }

  at(slope: number): DrawMoments {
    const position = slope / this.#spacing;
    const below = Math.floor(position);
    if (!(Math.abs(below) < MOST_NODES)) return drawMoments(this.#law, this.#weight, slope);
    return quintic(this.#node(below), this.#node(below + 1), position - below, this.#spacing);
  }

  #node(i: number): DrawMoments {
    const place = i < 0 ? -2 * i - 1 : 2 * i;
    return (this.#nodes[place] ??= aboutMoments(this.#law, this.#weight, i * this.#spacing));
  }
}

/**
 * Powers of neighbouring points follow from each other, but for every so many; and how far apart they are.
 */
const [ANEW, STEEPEST] = [16, 1];

/** As `drawMoments`, but for some last digits. */
function aboutMoments(law: BufferLaw, weight: number, slope: number): DrawMoments {
  const { step } = law;
  if (Math.abs(slope) * step > STEEPEST) return drawMoments(law, weight, slope);
  const { top, points, ratios, masses, logs } = weightedPoints(law, weight);
  let shift = -Infinity;
  for (let i = 0; i < ratios.length; i++) shift = Math.max(shift, logs[i]! + slope * ratios[i]!);
  const factor = Real.exp(slope * step);
  let total = 0;
  let first = 0;
  let second = 0;
  let power = 0;
  for (let i = 0; i < ratios.length; i++) {
    const ratio = ratios[i]!;
    const follows = i % ANEW > 0 && points[i] === points[i - 1]! + 1;
    power = follows ? power * factor : Real.exp(slope * ratio - shift);
    const part = masses[i]! * power;
    total += part;
    first += part * ratio;
    second += part * ratio * ratio;
  }
  return momentsOfSums(top + shift, total, first, second);
}
