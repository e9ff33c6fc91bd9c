/**
 * How pairs of values are told apart, as shares of the range: one way for all ranges that are alike. Any way
 * is valid for any range; with one of its own for each, bounds would jump from one range to the next, and
 * searches for a parameter would pay for each again.
 */
import { keptByKey, Real } from '@shuffle-dp/core';
import { closeDistance } from './close-values.ts';
import type { ExponentialNoise } from './exponential-noise.ts';
import { pairCells, type PairCell } from './pair-cells.ts';

export interface PairLayout {
  /** Pairs this far apart at most are left to the blanket. */
  readonly apart: number;
  /** All others; null where they would be too many. */
  readonly cells: readonly PairCell[] | null;
}

/** Ranges whose widths have one logarithm to the base 2, rounded to a multiple of 1 over this, are alike. */
const ALIKE = 16;

/** Of kinds of ranges. */
const layouts = keptByKey<PairLayout>(16);

/** @param closely as in `pairCells` */
export function pairLayout(noise: ExponentialNoise, closely: boolean): PairLayout {
  const { width, isClipped } = noise;
  const octave = Math.round((Real.log(width) / Math.LN2) * ALIKE) / ALIKE;
  const usual = Real.power(2, octave);
  const layout = layouts(`${octave} ${isClipped} ${closely}`, () =>
    layoutOf({ width: usual, isClipped }, closely),
  );
  const scale = width / usual;
  return {
    apart: layout.apart * scale * (1 + 1e-12),
    cells:
      layout.cells?.map(({ first, firstInner, second, secondInner, fall }) => ({
        first: first * scale,
        firstInner: firstInner * scale,
        second: second === usual ? width : second * scale,
        secondInner: secondInner * scale,
        fall,
      })) ?? null,
  };
}

function layoutOf(noise: ExponentialNoise, closely: boolean): PairLayout {
  const apart = closeDistance(noise);
  return { apart, cells: pairCells(noise, apart, closely) };
}
