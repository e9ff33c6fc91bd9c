/** Numbers that a page refuses itself: its engine cannot be asked with them. */
import type { Refusal } from '../engine/messages.ts';
import { typedNumber } from '../words/numbers.ts';

export interface AskedNumber {
  /** Its name in the address. */
  readonly name: string;
  readonly label: string;
  readonly text: string;
  /** Whole numbers from the first to the last; absent where any number can be asked with. */
  readonly whole?: readonly [low: number, high: number];
  /** Likewise, of any numbers. */
  readonly within?: readonly [low: number, high: number];
}

/** The first that is refused; null for none. */
export function refusedNumber(numbers: readonly AskedNumber[]): Refusal | null {
  for (const { name, label, text, whole, within } of numbers) {
    const value = typedNumber(text);
    const [low, high] = whole ?? within ?? [-Infinity, Infinity];
    if (value >= low && value <= high && (whole === undefined || Number.isInteger(value))) continue;
    const allowed = (whole ?? within) ? ` from ${low} to ${high}` : '';
    const what = whole === undefined ? 'a number' : 'a whole number';
    return { parameter: name, message: `${label} = ${text}: must be ${what}${allowed}` };
  }
  return null;
}
