import { shortEnd } from '../words/short-number.ts';

/** A positive number with six digits that is not smaller: what a certificate claims, and a command prints. */
export function roundedUp(value: number): number {
  return Number(shortEnd(value, 'upper', 6));
}
