/** Two exact samplers of Clip-Laplace. Both replace centres, in units of the scale around the middle, by draws. */
import type { RandomStream } from '@shuffle-dp/core';

/**
 * By rejection: a uniform point of the range is kept with probability e^-t, t its distance from the centre. Most points
 * are decided by two bounds of the exponential, 1 - t + t^2/2 - t^3/6 <= e^-t <= 1 - t + t^2/2, and by the 11 bits that
 * a double leaves over from two random words; 32 more bits are drawn only where those do not decide.
 */
export function drawByRejection(
  centres: Float64Array,
  count: number,
  half: number,
  middle: number,
  scale: number,
  stream: RandomStream,
): void {
  for (let start = 0; start < count; start += BLOCK)
    rejectionBlock(centres, start, Math.min(count, start + BLOCK), half, middle, scale, stream);
}

const BLOCK = 8192;
const TWO_32 = 4294967296;
/** 2^-53 over both words: the point is an odd multiple of half of it, so its law is symmetric around the middle. */
const HALF_STEP = 2 ** -54;

function rejectionBlock(
  out: Float64Array,
  start: number,
  end: number,
  half: number,
  middle: number,
  scale: number,
  stream: RandomStream,
): void {
  const width = 2 * half;
  const s = stream.state;
  let s0 = s[0]!;
  let s1 = s[1]!;
  let s2 = s[2]!;
  let s3 = s[3]!;
  for (let i = start; i < end;) {
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
    const second = Math.imul((x << 7) | (x >>> 25), 9) >>> 0;
    w = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= w;
    s3 = (s3 << 11) | (s3 >>> 21);
    const point =
      (first * 2.3283064365386963e-10 + (second >>> 11) * 1.1102230246251565e-16 + HALF_STEP - 0.5) * width;
    const t = Math.abs(point - out[i]!);
    const upper = 1 - t + 0.5 * t * t;
    const lower = upper - 0.16666666666666669 * t * t * t;
    // The level lies in [level, level + 1) / 2048.
    const level = second & 2047;
    let keep = level + 1 <= lower * 2048;
    if (!keep && level < upper * 2048) {
      x = Math.imul(s1, 5);
      const third = Math.imul((x << 7) | (x >>> 25), 9) >>> 0;
      w = s1 << 9;
      s2 ^= s0;
      s3 ^= s1;
      s1 ^= s2;
      s0 ^= s3;
      s2 ^= w;
      s3 = (s3 << 11) | (s3 >>> 21);
      const exactly = (level + (third + 0.5) / TWO_32) / 2048;
      keep = exactly <= lower || (exactly < upper && exactly < Math.exp(-t));
    }
    if (keep) {
      out[i] = middle + scale * point;
      i++;
    }
  }
  s[0] = s0;
  s[1] = s1;
  s[2] = s2;
  s[3] = s3;
}

/** By the inverse distribution function: one logarithm a draw, whatever the budget. */
export function drawByInversion(
  centres: Float64Array,
  count: number,
  half: number,
  middle: number,
  scale: number,
  stream: RandomStream,
): void {
  const block = new Float64Array(Math.min(count, BLOCK));
  for (let start = 0; start < count; start += BLOCK) {
    const end = Math.min(count, start + BLOCK);
    stream.fill(block.subarray(0, end - start));
    for (let i = start; i < end; i++) {
      const centre = centres[i]!;
      // Masses left and right of the centre, and the uniform's place between them: no digit is lost near it.
      const left = -Math.expm1(-(half + centre));
      const right = -Math.expm1(-(half - centre));
      const place = (block[i - start]! + HALF_STEP) * (left + right) - left;
      const point = place < 0 ? centre + Math.log1p(place) : centre - Math.log1p(-place);
      centres[i] = middle + scale * Math.min(half, Math.max(-half, point));
    }
  }
}
