/** The failure probability that a config states by a number or by an expression of the users. */
import { refusal } from './config-error.ts';
import { ExpressionError, parseExpression } from './expression.ts';

/**
 * privacy.delta of a config for this many users.
 * @throws ConfigError where the expression leaves (0, 1) or uses more than n
 */
export function deltaOfUsers(delta: number | string, users: number, file: string): number {
  try {
    const value = typeof delta === 'number' ? delta : parseExpression(delta)({ n: users, d: NaN, s: NaN });
    if (value > 0 && value < 1) return value;
    throw refusal(file, ['privacy', 'delta'], delta, `in (0, 1) for n = ${users}, not ${value}`);
  } catch (error) {
    if (error instanceof ExpressionError) throw refusal(file, ['privacy', 'delta'], delta, error.message);
    throw error;
  }
}
