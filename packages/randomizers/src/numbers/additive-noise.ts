/** A bounded value plus noise of one law, many users at a time. */
import type { RandomStream } from '@shuffle-dp/core';
import { clampTo } from './bounded-value.ts';
import type { InputRange } from '../laws/output-cells.ts';

/** Few enough that the noise of a block stays in the cache. */
const BLOCK = 4096;
const noise = new Float64Array(BLOCK);

export interface NoiseLaw {
  readonly scale: number;
  /** Fills a part of an array with draws of scale 1. */
  readonly fill: (target: Float64Array, start: number, end: number, stream: RandomStream) => void;
}

/** Writes every value, clamped to the range, plus a draw to the front of `out`. */
export function addNoise(
  values: Float64Array,
  range: InputRange,
  { scale, fill }: NoiseLaw,
  out: Float64Array,
  stream: RandomStream,
): void {
  for (let start = 0; start < values.length; start += BLOCK) {
    const end = Math.min(values.length, start + BLOCK);
    fill(noise, 0, end - start, stream);
    for (let i = start; i < end; i++) out[i] = clampTo(range, values[i]!) + scale * noise[i - start]!;
  }
}
