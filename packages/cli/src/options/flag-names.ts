/** Refusals under the names of the flags that gave the values. */
import { ParameterError } from '@shuffle-dp/core';
import { flagName } from '@shuffle-dp/experiments/account';

/** @param parameters those that have a flag @throws ParameterError under the name of its flag; what `work` throws */
export function withFlagNames<Result>(parameters: readonly string[], work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ParameterError)) throw error;
    const { parameter } = error;
    throw parameters.includes(parameter) ? error.called(`--${flagName(parameter)}`) : error;
  }
}
