/** How many blanket messages there may be. */
import { ParameterError, requireNonNegative } from '@shuffle-dp/core';

/** Of all users together. */
export const MOST_BLANKETS = 1e12;

/** The refusal of a central target, in nats, that would take more. */
export function beyondMostBlankets(epsilon: number): ParameterError {
  return new ParameterError(
    'epsilon',
    epsilon,
    `larger: it would take over ${MOST_BLANKETS} blanket messages`,
  );
}

/**
 * Blanket messages of a user, on average, as a spec gives them. @throws ParameterError for a negative number,
 * and for more of all users than `MOST_BLANKETS`
 */
export function requireBlanketRate(blanketRate: number, users: number): number {
  requireNonNegative('blanketRate', blanketRate);
  if (blanketRate * users > MOST_BLANKETS) {
    const most = `at most ${Math.floor(MOST_BLANKETS / users)}: ${users} users send at most ${MOST_BLANKETS} blanket messages`;
    throw new ParameterError('blanketRate', blanketRate, most);
  }
  return blanketRate;
}
