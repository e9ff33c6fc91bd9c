/** Randomizers that users bring: a JavaScript module whose default export makes a frequency oracle. */
import { createRequire } from 'node:module';
import { ParameterError, type FrequencyOracle } from '@shuffle-dp/core';
import type { SingleMessageFrequencySpec } from '@shuffle-dp/protocols';

export interface OwnRandomizerSpec extends Pick<SingleMessageFrequencySpec, 'epsilon0' | 'accounting'> {
  readonly kind: 'own-randomizer';
  /** Absolute path; no part of a cell's identity, the digest is. */
  readonly module: string;
  readonly digest: string;
  readonly options: Readonly<Record<string, number>>;
}

type OracleFactory = (parameters: Readonly<Record<string, number>>) => FrequencyOracle;

const factories = new Map<string, OracleFactory>();

/** What a protocol calls of an oracle. */
const METHODS = [
  'allocate',
  'randomizeInto',
  'amplification',
  'supportCounts',
  'estimate',
  'variance',
  'sampleSupportCounts',
] as const satisfies readonly (keyof FrequencyOracle)[];

/** @throws ParameterError where the module makes something else than a frequency oracle for this domain */
export function ownOracle(spec: OwnRandomizerSpec, domain: number, epsilon0: number): FrequencyOracle {
  const oracle = made(spec, { domain, epsilon0, ...spec.options });
  const missing = METHODS.filter((method) => typeof oracle?.[method] !== 'function');
  if (missing.length > 0)
    throw new ParameterError('module', spec.module, `one whose oracle has ${missing.join(', ')}`);
  if (oracle.domain !== domain || oracle.epsilon0 !== epsilon0) {
    throw new ParameterError(
      'module',
      spec.module,
      'one whose oracle has the domain and epsilon0 it was given',
    );
  }
  return oracle;
}

/** What a module refuses by a RangeError is the user's to mend; other errors are faults of the module, shown with their trace. */
function made(spec: OwnRandomizerSpec, parameters: Readonly<Record<string, number>>): FrequencyOracle {
  try {
    return factoryOf(spec.module)(parameters);
  } catch (error) {
    if (error instanceof RangeError)
      throw new ParameterError('options', spec.options, `what the module allows: ${error.message}`);
    throw error;
  }
}

function factoryOf(module: string): OracleFactory {
  const known = factories.get(module);
  if (known) return known;
  let loaded: { readonly default?: unknown };
  try {
    // Synchronous, which modules without top-level await allow, and through the same loader as the program itself.
    loaded = createRequire(import.meta.url)(module) as typeof loaded;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0]! : String(error);
    throw new ParameterError('module', module, `a module that can be loaded: ${reason}`);
  }
  if (typeof loaded.default !== 'function')
    throw new ParameterError('module', module, 'a module whose default export is a function');
  const factory = loaded.default as OracleFactory;
  factories.set(module, factory);
  return factory;
}
