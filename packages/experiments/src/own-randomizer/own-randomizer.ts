/** Randomizers that users bring: a module whose default export makes a frequency oracle. */
import { ParameterError, type FrequencyOracle } from '@shuffle-dp/core';
import type { SingleMessageFrequencySpec } from '@shuffle-dp/protocols';
import { nearestName } from '../words/nearest-name.ts';
import { foreignCall, limitCalls } from '../own-module/guarded-thread.ts';
import { loadedModule, loadModule, shownModule, thrownWords } from '../own-module/load-module.ts';
import { recordedParameters, type ParameterReads } from '../own-module/parameters-read.ts';
import { watchedOracle } from '../own-module/watched-oracle.ts';
import { clearBudget, drawnFault, messagesFault } from './draw-checks.ts';
import { estimateShapeFault, missingFault, statedFault } from './oracle-checks.ts';

export interface OwnRandomizerSpec extends Pick<SingleMessageFrequencySpec, 'epsilon0' | 'accounting'> {
  readonly kind: 'own-randomizer';
  /** Absolute path; no part of a cell's identity, the digest is. */
  readonly module: string;
  readonly digest: string;
  readonly options: Readonly<Record<string, number>>;
  /**
   * Seconds that loading the module or one of its calls may take while it is checked; no part of the
   * identity.
   */
  readonly timeLimit: number;
}

/** While a module is checked all its calls together may take so many times what one may. */
const CALLS_ALTOGETHER = 10;
/**
 * In trials a call may take so many times what it may in the checks, and so many seconds more for each user.
 */
const TRIAL_FACTOR = 20;
const TRIAL_SECONDS_PER_USER = 1e-5;

/**
 * Loads the module where this thread has not, for calls in the checks that come before all trials. @throws
 * ParameterError
 */
export async function prepareChecks({ module, timeLimit }: OwnRandomizerSpec): Promise<void> {
  limitCalls(shownModule(module), { call: timeLimit, altogether: CALLS_ALTOGETHER * timeLimit });
  await loadModule(module);
}

/** As `prepareChecks` for calls in trials. */
export async function prepareTrials({ module, timeLimit }: OwnRandomizerSpec, users: number): Promise<void> {
  limitCalls(shownModule(module), {
    call: TRIAL_FACTOR * timeLimit + TRIAL_SECONDS_PER_USER * users,
    altogether: Infinity,
  });
  await loadModule(module);
}

/**
 * @param reads notes which options the module asks for
 * @throws ParameterError where the module makes something else than a frequency oracle whose stated numbers
 * fit together
 */
export function ownOracle(
  spec: OwnRandomizerSpec,
  domain: number,
  epsilon0: number,
  reads: ParameterReads = { named: new Set(), copied: new Set() },
): FrequencyOracle {
  const { module } = spec;
  const made = madeOracle(spec, { domain, epsilon0, ...spec.options }, reads);
  refuse(module, () => missingFault(made));
  const oracle = watchedOracle(made, shownModule(module));
  refuse(module, () => statedFault(oracle, domain, epsilon0));
  return oracle;
}

/**
 * Draws from the module's oracles and compares with what they state, and sees that all options are used.
 *
 * @throws ParameterError where something does not fit
 */
export function checkModule(spec: OwnRandomizerSpec, domain: number, epsilon0: number): void {
  const { module } = spec;
  const reads: ParameterReads = { named: new Set(), copied: new Set() };
  refuseUndeclared(spec);
  const oracle = ownOracle(spec, domain, epsilon0, reads);
  refuse(module, () => drawnFault(oracle));
  refuseMessages(spec, domain, oracle, reads);
  refuseUnread(spec, reads);
}

const checkedMessages = new Set<string>();

/**
 * Messages at a budget that shows faults better than that of the run, once for each module, options and
 * domain.
 */
function refuseMessages(
  spec: OwnRandomizerSpec,
  domain: number,
  ofRun: FrequencyOracle,
  reads: ParameterReads,
): void {
  const { module, digest, options } = spec;
  const key = JSON.stringify([module, digest, options, domain]);
  if (checkedMessages.has(key)) return;
  const budget = clearBudget(domain);
  refuse(module, () => {
    const clear = allowedOracle(() => ownOracle(spec, domain, budget, reads));
    return messagesFault(clear ?? ofRun);
  });
  checkedMessages.add(key);
}

/** Null where the module does not allow the budget. */
function allowedOracle(make: () => FrequencyOracle): FrequencyOracle | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof ParameterError && error.parameter === 'options') return null;
    throw error;
  }
}

function refuseUndeclared({ module, options }: OwnRandomizerSpec): void {
  const declared = loadedModule(module).options;
  if (declared === null) return;
  for (const name of Object.keys(options))
    if (!declared.includes(name)) refuseOption(module, options, name, declared);
}

function refuseUnread({ module, options }: OwnRandomizerSpec, { named, copied }: ParameterReads): void {
  if (loadedModule(module).options !== null) return;
  const asked = [...named].filter((name) => name !== 'domain' && name !== 'epsilon0');
  for (const name of Object.keys(options)) {
    if (named.has(name)) continue;
    if (copied.has(name)) {
      const allowed = `declared by ${shownModule(module)}, which copies its parameters: export const options = ['${name}']`;
      throw new ParameterError(`options.${name}`, options[name], allowed);
    }
    refuseOption(module, options, name, asked);
  }
}

function refuseOption(
  module: string,
  options: Readonly<Record<string, number>>,
  name: string,
  known: readonly string[],
): never {
  const near = nearestName(name, known);
  const taken = known.length === 0 ? 'which has none' : `which has ${known.join(', ')}`;
  const advice = near === undefined ? '' : `; did you mean ${near}?`;
  throw new ParameterError(
    `options.${name}`,
    options[name],
    `an option of ${shownModule(module)}, ${taken}${advice}`,
  );
}

/** @throws ParameterError for anything but one finite number a category */
export function requireEstimate(
  { module }: OwnRandomizerSpec,
  estimate: Float64Array,
  domain: number,
): Float64Array {
  refuse(module, () => estimateShapeFault(estimate, domain));
  return estimate;
}

function refuse(module: string, faultOf: () => string | null): void {
  const name = shownModule(module);
  let fault: string | null;
  try {
    fault = faultOf();
  } catch (error) {
    if (error instanceof ParameterError && error.parameter === 'module') throw error;
    throw new ParameterError('module', name, `one that works: ${thrownWords(error, module)}`);
  }
  if (fault !== null) throw new ParameterError('module', name, fault);
}

/** What a module refuses by a RangeError is about its options; other errors are faults of the module. */
function madeOracle(
  { module, options }: OwnRandomizerSpec,
  parameters: Readonly<Record<string, number>>,
  reads: ParameterReads,
): FrequencyOracle {
  const { factory } = loadedModule(module);
  const name = shownModule(module);
  try {
    return foreignCall(name, 'making an oracle', () => factory(recordedParameters(parameters, reads)));
  } catch (error) {
    const given = JSON.stringify(parameters);
    if (error instanceof RangeError)
      throw new ParameterError('options', options, `what ${name} allows, given ${given}: ${error.message}`);
    throw new ParameterError(
      'module',
      name,
      `one that makes an oracle of ${given}: ${thrownWords(error, module)}`,
    );
  }
}
