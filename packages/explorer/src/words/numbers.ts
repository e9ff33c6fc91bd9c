/** Numbers as they are typed, and as they are shown. */
import { decimalNumber, shortEnd, shortNumber } from '@shuffle-dp/experiments/words';

/** As on the command line: six digits. */
const DIGITS = 6;

/** The digits that the command prints. */
export function sixDigits(value: number): string {
  return shortNumber(value, DIGITS);
}

/** A proved end as the command prints it: rounded to the side on which it stays proved. */
export function sixDigitEnd(value: number, side: 'lower' | 'upper'): string {
  return shortEnd(value, side, DIGITS);
}

/** For labels, where fewer digits are read faster. */
export function fourDigits(value: number): string {
  return shortNumber(value);
}

/** A proved end, likewise: rounded to the side on which it stays proved. */
export function fourDigitEnd(value: number, side: 'lower' | 'upper'): string {
  return shortEnd(value, side);
}

/** Thousands set apart by one mark; never after a leading 0, where a comma is meant as a point. */
const GROUPED = /^[+-]?[1-9]\d{0,2}([ _,])\d{3}(?:\1\d{3})*(?:\.\d+)?$/u;

/** '10000', '10,000', '1e-6', 'inf'; NaN for what is no number. */
export function typedNumber(text: string): number {
  const typed = text.trim();
  const word = GROUPED.test(typed) ? typed.replaceAll(/[ _,]/gu, '') : typed;
  if (/^[+]?inf(inity)?$/iu.test(word)) return Infinity;
  return decimalNumber(word);
}

/** The shortest text that reads back as the same number. */
export function writtenNumber(value: number): string {
  if (value === Infinity) return 'inf';
  const plain = String(value);
  if (Math.abs(value) < 1e6 && Math.abs(value) >= 1e-3) return plain;
  const exponential = value.toExponential().replace('e+', 'e');
  return exponential.length < plain.length ? exponential : plain;
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** 10⁻³ */
export function powerOfTen(exponent: number): string {
  const digits = String(Math.abs(exponent)).replaceAll(/\d/gu, (digit) => SUPERSCRIPTS[Number(digit)]!);
  return `10${exponent < 0 ? '⁻' : ''}${digits}`;
}
