/**
 * Draws from symmetric densities that fall away from zero, by the ziggurat method (G. Marsaglia and W. W.
 * Tsang, "The ziggurat method for generating random variables", J. Stat. Software 5(8), 2000): the area below
 * the density is cut into 256 layers of equal area, a layer is drawn, then a place in it. Almost every place
 * lies below the density whatever its height.
 *
 * Unlike the published program a draw takes two words, of which the layer, the sign and the place are
 * different bits: so a place has 53 bits and does not depend on the layer. What lies beyond the lowest layer
 * is drawn by its own law, so there is no largest draw.
 */
import type { RandomStream } from './random-stream.ts';

const LAYERS = 256;
/** The two words give places k + 1/2 in units of this share of a layer's width, k from -2^52 to 2^52 - 1. */
const PLACE = 2 ** -52;

export interface SymmetricLaw {
  /** The density over the one at zero: falls from 1 for magnitudes from zero on. */
  density(magnitude: number): number;
  /** The magnitude at which `density` is `height`. */
  inverse(height: number): number;
  /** Where the lowest layer ends and the tail begins. */
  readonly tailFrom: number;
  /** The integral of `density` beyond `tailFrom`. */
  readonly tailArea: number;
  /** Draws a magnitude beyond `tailFrom`. */
  sampleTail(stream: RandomStream): number;
}

export interface Ziggurat {
  readonly law: SymmetricLaw;
  /** edges[i] ends layer i; edges[0] is as far as a rectangle of its area would reach. */
  readonly edges: Float64Array;
  /** Layer i lies between heights[i] and heights[i + 1]. */
  readonly heights: Float64Array;
  /** edges[i], for places in their unit. */
  readonly units: Float64Array;
}

/** `tailFrom` must be such that the layers end at zero. */
export function ziggurat(law: SymmetricLaw): Ziggurat {
  const { tailFrom } = law;
  const edges = new Float64Array(LAYERS + 1);
  const heights = new Float64Array(LAYERS + 1);
  const lowest = law.density(tailFrom);
  const area = tailFrom * lowest + law.tailArea;
  edges[0] = area / lowest;
  edges[1] = tailFrom;
  heights[1] = lowest;
  for (let i = 2; i < LAYERS; i++) {
    heights[i] = heights[i - 1]! + area / edges[i - 1]!;
    edges[i] = law.inverse(heights[i]!);
  }
  heights[LAYERS] = 1;
  return { law, edges, heights, units: edges.map((edge) => edge * PLACE) };
}

export function sampleZiggurat(table: Ziggurat, stream: RandomStream): number {
  for (;;) {
    const word = stream.nextUint32() | 0;
    const layer = word & 0xff;
    const draw = ((word >> 8) * 0x20000000 + (stream.nextUint32() >>> 3) + 0.5) * table.units[layer]!;
    if (Math.abs(draw) < table.edges[layer + 1]!) return draw;
    const settled = settle(table, layer, draw, stream);
    if (settled !== 0) return settled;
  }
}

/** What becomes of a draw that may lie above the density; zero where it does, and another is to be made. */
function settle({ law, heights }: Ziggurat, layer: number, draw: number, stream: RandomStream): number {
  if (layer === 0) return Math.sign(draw) * law.sampleTail(stream);
  const low = heights[layer]!;
  const height = low + stream.next() * (heights[layer + 1]! - low);
  return height < law.density(Math.abs(draw)) ? draw : 0;
}

/** Fills target[start..end) with the numbers that as many single draws would give. */
export function fillZiggurat(
  table: Ziggurat,
  target: Float64Array,
  start: number,
  end: number,
  stream: RandomStream,
): void {
  for (let from = start; from < end; from += BLOCK)
    fillBlock(table, target, from, Math.min(end, from + BLOCK), stream);
}

/** One long loop is compiled again and again. */
const BLOCK = 8192;

function fillBlock(
  table: Ziggurat,
  target: Float64Array,
  start: number,
  end: number,
  stream: RandomStream,
): void {
  const { edges, units } = table;
  const s = stream.state;
  let s0 = s[0]!;
  let s1 = s[1]!;
  let s2 = s[2]!;
  let s3 = s[3]!;
  for (let i = start; i < end;) {
    let word = Math.imul(s1, 5);
    word = Math.imul((word << 7) | (word >>> 25), 9);
    let t = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = (s3 << 11) | (s3 >>> 21);
    let low = Math.imul(s1, 5);
    low = Math.imul((low << 7) | (low >>> 25), 9);
    t = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = (s3 << 11) | (s3 >>> 21);
    const layer = word & 0xff;
    const draw = ((word >> 8) * 0x20000000 + (low >>> 3) + 0.5) * units[layer]!;
    if (Math.abs(draw) < edges[layer + 1]!) {
      target[i++] = draw;
      continue;
    }
    s[0] = s0;
    s[1] = s1;
    s[2] = s2;
    s[3] = s3;
    const settled = settle(table, layer, draw, stream);
    if (settled !== 0) target[i++] = settled;
    s0 = s[0]!;
    s1 = s[1]!;
    s2 = s[2]!;
    s3 = s[3]!;
  }
  s[0] = s0;
  s[1] = s1;
  s[2] = s2;
  s[3] = s3;
}
