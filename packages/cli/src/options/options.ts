/** Parsers of option values: what they refuse is said in one line. */
import { InvalidArgumentError } from 'commander';
import { decimalNumber, hasControls } from '@shuffle-dp/experiments/words';
import type { Shard } from '@shuffle-dp/experiments/run-folder';

/** What every command takes. */
export interface OutputOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function integerOption(low: number, high = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/u.test(text) ? Number(text) : Number.NaN;
    if (!Number.isSafeInteger(value) || value < low || value > high) {
      const range = high === Number.MAX_SAFE_INTEGER ? `of at least ${low}` : `from ${low} to ${high}`;
      throw new InvalidArgumentError(`Must be an integer ${range}.`);
    }
    return value;
  };
}

/** Any finite number in decimals; ranges are the mechanism's affair. `inf` where it is allowed. */
export function numberOption(text: string): number {
  if (/^[+]?inf(inity)?$/iu.test(text)) return Infinity;
  const value = decimalNumber(text);
  if (!Number.isFinite(value)) throw new InvalidArgumentError('Must be a finite number.');
  if (value === 0 && /^[^e]*[1-9]/iu.test(text))
    throw new InvalidArgumentError('Must be 0, or large enough for a double: 5e-324.');
  return value;
}

/** A number in (0, 1). */
export function shareOption(text: string): number {
  const value = numberOption(text);
  if (!(value > 0 && value < 1)) throw new InvalidArgumentError('Must be above 0 and below 1.');
  return value;
}

/** Numbers in (0, 1), divided by commas, each once: '1e-3,1e-5'. */
export function shareListOption(text: string): number[] {
  const shares = text.split(',').map((part) => shareOption(part.trim()));
  if (new Set(shares).size < shares.length) throw new InvalidArgumentError('Must not have a value twice.');
  return shares;
}

export function textOption(text: string): string {
  if (text === '') throw new InvalidArgumentError('Must not be empty.');
  // The value is missing, and the next flag would be taken for it.
  if (text.startsWith('--')) throw new InvalidArgumentError('Must not begin with "--".');
  if (hasControls(text)) throw new InvalidArgumentError('Must have no control characters.');
  return text;
}

/** `2/8`, the second of eight. */
export function shardOption(text: string): Shard {
  const [index, count] = (/^(\d{1,6})\/(\d{1,6})$/u.exec(text) ?? []).slice(1).map(Number);
  if (index === undefined || count === undefined || index < 1 || index > count)
    throw new InvalidArgumentError('Must be i/N with 1 <= i <= N <= 999999, as in 2/8.');
  return { index, count };
}
