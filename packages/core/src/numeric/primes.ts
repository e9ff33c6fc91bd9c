import { requireWithin } from '../arguments.ts';

/**
 * Whether a number is prime, by trial division: for the ranges of hash functions, which are small.
 *
 * @example isPrime(97) // true
 */
export function isPrime(value: number): boolean {
  if (!Number.isInteger(value) || value < 2) return false;
  for (let divisor = 2; divisor * divisor <= value; divisor++) if (value % divisor === 0) return false;
  return true;
}

/** Beyond, trial division takes seconds. */
const MOST = 2 ** 40;

/**
 * The prime nearest to x, a finite number up to 2^40, the smaller of two.
 *
 * @throws ParameterError
 * @example nearestPrime(100) // 101
 */
export function nearestPrime(x: number): number {
  const start = Math.max(2, Math.round(requireWithin('x', x, -Infinity, MOST)));
  for (let distance = 0; ; distance++) {
    const candidates = [start - distance, start + distance].filter(isPrime);
    if (candidates.length > 0) return candidates.sort((a, b) => Math.abs(a - x) - Math.abs(b - x))[0]!;
  }
}
