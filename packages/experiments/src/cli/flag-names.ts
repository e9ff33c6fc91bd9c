/** Refusals under the names of the flags that gave the values. */
import { flagName } from '../account/mechanism-list.ts';
import { UsageError } from './exit.ts';

/** What factories call otherwise than the flags do. */
const FLAG_PARAMETERS: Readonly<Record<string, string>> = {
  capArea: 'cap',
  itemsPerUser: 'items',
  pairsPerUser: 'items',
};

/** @param parameters those that have a flag @throws UsageError for a refusal of one of them; what `work` throws */
export function withFlagNames<Result>(parameters: readonly string[], work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ParameterError' && 'parameter' in error)) throw error;
    const refused = String(error.parameter);
    const parameter = FLAG_PARAMETERS[refused] ?? refused;
    if (!parameters.includes(parameter)) throw error;
    throw new UsageError(`--${flagName(parameter)}${error.message.slice(refused.length)}`);
  }
}
