/** Numbers that a page refuses itself: its engine cannot be asked with them. */
import type { Refusal } from '../engine/messages.ts';
import { typedNumber } from '../words/numbers.ts';

export interface AskedNumber {
  /** Its name in the address. */
  readonly name: string;
  /** Which of several has it, where others do, too. */
  readonly entry?: number;
  readonly label: string;
  readonly text: string;
  /** Whole numbers from the first to the last; absent where any number can be asked with. */
  readonly whole?: readonly [low: number, high: number];
  /** Likewise, of any numbers. */
  readonly within?: readonly [low: number, high: number];
  /** Any number above 0. */
  readonly isPositive?: boolean;
}

/** The first that is refused; null for none. */
export function refusedNumber(numbers: readonly AskedNumber[]): Refusal | null {
  for (const { name, entry, label, text, whole, within, isPositive = false } of numbers) {
    const value = typedNumber(text);
    const [low, high] = whole ?? within ?? [-Infinity, Infinity];
    const isAllowed = value >= low && value <= high && !(isPositive && value <= 0);
    if (isAllowed && (whole === undefined || Number.isInteger(value))) continue;
    const allowed = (whole ?? within) ? ` from ${low} to ${high}` : '';
    const what = whole !== undefined ? 'a whole number' : isPositive ? 'a positive number' : 'a number';
    return {
      parameter: name,
      ...(entry !== undefined && { entry }),
      message: `${label} ${text === '' ? 'is empty' : `= ${text}`}: must be ${what}${allowed}`,
    };
  }
  return null;
}
