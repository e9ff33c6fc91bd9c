/** Two exact samplers of Clip-Laplace. Centres are in units of the scale around the middle of the range. */
import { Real, type RandomStream } from '@shuffle-dp/core';

/** Where the mechanism's range lies: it is 2 half scales wide. */
export interface ClippedRange {
  readonly half: number;
  readonly middle: number;
  readonly scale: number;
}

/** Centres and draws are made in blocks of at most this many. */
export const BLOCK = 8192;

const TWO_32 = 4294967296;
/** Uniforms are odd multiples of 2^-54, so their law is symmetric around 1/2. */
const HALF_STEP = 2 ** -54;

/**
 * Writes one draw for each centre to `out`, by rejection: a uniform point of the range is kept with
 * probability e^-t, t its distance from the centre. Most points are decided by bounds of the exponential, its
 * series up to t, t^4 and t^5, and by the 11 bits that a double leaves over from two random words; 32 more
 * bits are drawn where those do not decide.
 */
export function drawByRejection(
  centres: Float64Array,
  out: Float64Array,
  { half, middle, scale }: ClippedRange,
  stream: RandomStream,
): void {
  const width = 2 * half;
  const s = stream.state;
  let s0 = s[0]!;
  let s1 = s[1]!;
  let s2 = s[2]!;
  let s3 = s[3]!;
  for (let i = 0; i < centres.length;) {
    let x = Math.imul(s1, 5);
    const first = Math.imul((x << 7) | (x >>> 25), 9) >>> 0;
    let w = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= w;
    s3 = (s3 << 11) | (s3 >>> 21);
    x = Math.imul(s1, 5);
    const second = Math.imul((x << 7) | (x >>> 25), 9);
    w = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= w;
    s3 = (s3 << 11) | (s3 >>> 21);
    const uniform = first * 2.3283064365386963e-10 + (second >>> 11) * 1.1102230246251565e-16 + HALF_STEP;
    const point = (uniform - 0.5) * width;
    const t = Math.abs(point - centres[i]!);
    // The level lies in [level, level + 1) / 2048.
    const level = second & 2047;
    if (level >= 2047 - 2048 * t) {
      const square = t * t;
      const upper = 1 - t + square * (0.5 + square * 0.041666666666666664 - t * 0.16666666666666666);
      if (level >= upper * 2048) continue;
      const lower = upper - square * square * t * 0.008333333333333335;
      if (level >= lower * 2048 - 1) {
        x = Math.imul(s1, 5);
        const third = Math.imul((x << 7) | (x >>> 25), 9) >>> 0;
        w = s1 << 9;
        s2 ^= s0;
        s3 ^= s1;
        s1 ^= s2;
        s0 ^= s3;
        s2 ^= w;
        s3 = (s3 << 11) | (s3 >>> 21);
        if ((level + (third + 0.5) / TWO_32) / 2048 >= Real.exp(-t)) continue;
      }
    }
    out[i] = middle + scale * point;
    i++;
  }
  s[0] = s0;
  s[1] = s1;
  s[2] = s2;
  s[3] = s3;
}

/** The same by the inverse distribution function: one logarithm a draw, whatever the budget. */
export function drawByInversion(
  centres: Float64Array,
  out: Float64Array,
  { half, middle, scale }: ClippedRange,
  stream: RandomStream,
): void {
  stream.fill(out);
  for (let i = 0; i < centres.length; i++) {
    const centre = centres[i]!;
    // Masses left and right of the centre, and the uniform's place between them: no digit is lost near it.
    const left = -Real.expm1(-(half + centre));
    const right = -Real.expm1(-(half - centre));
    const place = (out[i]! + HALF_STEP) * (left + right) - left;
    const distance = Real.log1p(-Math.abs(place));
    const point = place < 0 ? centre + distance : centre - distance;
    out[i] = middle + scale * Math.min(half, Math.max(-half, point));
  }
}
