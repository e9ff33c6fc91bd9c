/** What is wrong with a certificate that can be read. */
import { decimalValue, type Rational } from './exact.ts';

/** It proves nothing, or less than it claims. */
export class Fault extends Error {}

/** @throws Fault for what is no decimal, or above the most */
export function requireDecimal(text: string, name: string, most = 1n): Rational {
  const value = decimalValue(text);
  if (value === null || value.numerator > most * value.denominator)
    throw new Fault(`${name} is out of its range`);
  return value;
}
