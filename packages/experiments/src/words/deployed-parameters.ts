/** Parameters of a planned protocol as text: what a deployment has to set. */
import { shortEnd } from './short-number.ts';

/** Of these less is more private; of other parameters that a target sets, such as noise, more. */
const LESS_IS_MORE_PRIVATE = new Set(['epsilon0', 'samplingRate', 'cap']);

/** Of the question, not of its answer. */
const ASKED = new Set(['low', 'high', 'epsilon']);

/**
 * The numbers among them, rounded to the side on which the target is met; whole numbers in full.
 *
 * @example deployedParametersText({ epsilon0: 4.44991, order: 32 }) // 'epsilon0 4.449, order 32'
 */
export function deployedParametersText(parameters: Readonly<Record<string, unknown>>): string {
  return Object.entries(parameters)
    .flatMap(([name, value]) => {
      if (typeof value !== 'number' || ASKED.has(name)) return [];
      const side = LESS_IS_MORE_PRIVATE.has(name) ? 'lower' : 'upper';
      return [`${name} ${Number.isInteger(value) ? String(value) : shortEnd(value, side)}`];
    })
    .join(', ');
}
