import type { LikelihoodAtoms } from '@shuffle-dp/core';
import { atomsOf } from './atom-rows.ts';

/** Atoms of symmetric unary encoding, by the bits of the victim's two values (and of the others' third). */
export function symmetricUnaryEncodingAtoms(
  epsilon0: number,
  others: 'blanket' | 'third value',
): LikelihoodAtoms {
  const root = Math.exp(epsilon0 / 2);
  const high = root / (1 + root);
  const low = 1 / (1 + root);
  if (others === 'blanket') {
    const g = low / high;
    return atomsOf(others, [
      [high * high, low * low, g * high * low],
      [low * low, high * high, g * high * low],
      [high * low, high * low, g * low * low],
      [high * low, high * low, g * high * high],
    ]);
  }
  // The third value's bit says nothing of the victim; the others show the victim's two bits as zeros do, and
  // it.
  const rows: [number, number, number][] = [];
  const bit = (value: number, own: boolean): number => ((value === 1) === own ? high : low);
  for (const first of [0, 1]) {
    for (const second of [0, 1]) {
      for (const third of [0, 1]) {
        rows.push([
          bit(first, true) * bit(second, false) * bit(third, false),
          bit(first, false) * bit(second, true) * bit(third, false),
          bit(first, false) * bit(second, false) * bit(third, true),
        ]);
      }
    }
  }
  return atomsOf(others, rows);
}
