/** Unit vectors: the direction of a row of numbers, and a random one at a given angle to another. */
import { fillGaussian, type RandomStream } from '@shuffle-dp/core';

/** Writes the direction of a row of `vector` to `own`. */
export function normalise(vector: ArrayLike<number>, from: number, own: Float64Array): void {
  // Divided by the largest coordinate first: squares of huge or tiny ones leave the range of doubles.
  let largest = 0;
  for (let j = 0; j < own.length; j++) largest = Math.max(largest, Math.abs(vector[from + j]!));
  if (!(largest > 0 && largest < Infinity)) {
    own.fill(0);
    own[0] = 1;
    return;
  }
  let square = 0;
  for (let j = 0; j < own.length; j++) {
    own[j] = vector[from + j]! / largest;
    square += own[j]! * own[j]!;
  }
  const length = Math.sqrt(square);
  for (let j = 0; j < own.length; j++) own[j]! /= length;
}

/**
 * Writes a uniform unit vector among those at this angle to `own`: a Gaussian vector without its part along
 * `own`.
 */
export function writeAtAngle(
  own: Float64Array,
  cosine: number,
  out: Float64Array,
  from: number,
  stream: RandomStream,
): void {
  fillGaussian(out, from, from + own.length, stream);
  let along = 0;
  for (let j = 0; j < own.length; j++) along += out[from + j]! * own[j]!;
  let square = 0;
  for (let j = 0; j < own.length; j++) {
    const rest = out[from + j]! - along * own[j]!;
    out[from + j] = rest;
    square += rest * rest;
  }
  const scale = Math.sqrt((1 - cosine) * (1 + cosine)) / Math.sqrt(square);
  for (let j = 0; j < own.length; j++) out[from + j] = cosine * own[j]! + scale * out[from + j]!;
}
