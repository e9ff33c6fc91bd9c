/** Refusals under the names of the flags that gave the values. */
import { ParameterError } from '@shuffle-dp/core';
import { flagName } from '@shuffle-dp/experiments/account';

/**
 * @param parameters those that have a flag @throws ParameterError under the name of its flag; what `work`
 * throws
 */
export async function withFlagNames<Result>(
  parameters: readonly string[],
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ParameterError) || !parameters.includes(error.parameter)) throw error;
    throw error.called(`--${flagName(error.parameter)}`);
  }
}
