/**
 * The number of messages that hide a victim, in blocks of counts: h does not increase, so each stands at its
 * smallest.
 */
import type { CloneCountLaw } from '../clone-count.ts';

/** Larger counts than those of a block are added to it where they are this rare beside it. */
const NEGLIGIBLE_REST = 1e-3;

export interface CountBlock {
  /** The smallest count of the block; -1 where nothing is said to hide the victim. */
  readonly least: number;
  readonly probability: number;
}

/**
 * Half a deviation wide around the mean, a whole one further below; everything above two deviations is one
 * block.
 */
export function countBlocks({ first, masses, omitted }: CloneCountLaw, allowance: number): CountBlock[] {
  let mean = 0;
  let square = 0;
  masses.forEach((mass, i) => {
    mean += mass * i;
    square += mass * i * i;
  });
  const deviation = Math.sqrt(Math.max(0, square - mean * mean));
  let start = 0;
  let small = omitted;
  while (start < masses.length - 1 && small + masses[start]! <= allowance) small += masses[start++]!;
  const blocks: CountBlock[] = [{ least: -1, probability: small }];
  while (start < masses.length) {
    const away = (start - mean) / deviation;
    const width = away < -2.5 ? deviation : away < 2 ? deviation / 2 : Infinity;
    let end = Math.min(masses.length, start + Math.max(1, Math.round(width)));
    let probability = 0;
    for (let i = start; i < end; i++) probability += masses[i]!;
    let rest = 0;
    for (let i = end; i < masses.length; i++) rest += masses[i]!;
    if (rest < NEGLIGIBLE_REST * probability) {
      probability += rest;
      end = masses.length;
    }
    blocks.push({ least: first + start, probability });
    start = end;
  }
  return blocks;
}
