/** Parameters of a planned protocol as text: what a deployment has to set. */
import { shortEnd } from './short-number.ts';

/** Of these less is more private; of other parameters that a target sets, such as noise, more. */
const LESS_IS_MORE_PRIVATE = new Set(['epsilon0', 'samplingRate', 'cap']);

/** Of the question, not of its answer. */
const ASKED = new Set(['low', 'high', 'epsilon']);

/** Of the protocols that make up the rounds of another one: one number, or one for each round. */
const OF_ROUNDS = /^round([A-Z])/u;

/**
 * The numbers among them, rounded to the side on which the target is met; whole numbers in full.
 *
 * @example deployedParametersText({ epsilon0: 4.44991, order: 32 }) // 'epsilon0 4.449, order 32'
 */
export function deployedParametersText(parameters: Readonly<Record<string, unknown>>): string {
  return Object.entries(parameters)
    .flatMap(([name, value]) => {
      const own = name.replace(OF_ROUNDS, (_, initial: string) => initial.toLowerCase());
      const side = LESS_IS_MORE_PRIVATE.has(own) ? 'lower' : 'upper';
      const text = (x: number): string => (Number.isInteger(x) ? String(x) : shortEnd(x, side));
      if (typeof value === 'number') return ASKED.has(name) ? [] : [`${name} ${text(value)}`];
      if (own === name || !Array.isArray(value)) return [];
      const numbers = value as readonly number[];
      return [`${name} ${text(Math.min(...numbers))} to ${text(Math.max(...numbers))}`];
    })
    .join(', ');
}
