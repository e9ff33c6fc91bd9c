/** Randomizers that users bring: a JavaScript module whose default export makes a frequency oracle. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { isAbsolute, relative } from 'node:path';
import { ParameterError, type FrequencyOracle } from '@shuffle-dp/core';
import type { SingleMessageFrequencySpec } from '@shuffle-dp/protocols';
import { drawnFault, estimateShapeFault, statedFault } from './oracle-checks.ts';

export interface OwnRandomizerSpec extends Pick<SingleMessageFrequencySpec, 'epsilon0' | 'accounting'> {
  readonly kind: 'own-randomizer';
  /** Absolute path; no part of a cell's identity, the digest is. */
  readonly module: string;
  readonly digest: string;
  readonly options: Readonly<Record<string, number>>;
}

type OracleFactory = (parameters: Readonly<Record<string, number>>) => FrequencyOracle;

const factories = new Map<string, OracleFactory>();

/** @throws ParameterError where the module makes something else than a frequency oracle whose stated numbers fit together */
export function ownOracle(spec: OwnRandomizerSpec, domain: number, epsilon0: number): FrequencyOracle {
  const { module } = spec;
  const oracle = made(spec, { domain, epsilon0, ...spec.options });
  refuse(module, () => statedFault(oracle, domain, epsilon0));
  return oracle;
}

/** Draws from the oracle what a small trial would. @throws ParameterError where that is not what it states */
export function checkDraws({ module }: OwnRandomizerSpec, oracle: FrequencyOracle): void {
  refuse(module, () => drawnFault(oracle));
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
  let fault: string | null;
  try {
    fault = faultOf();
  } catch (error) {
    throw new ParameterError('module', shown(module), `one that works: ${thrownWords(error, module)}`);
  }
  if (fault !== null) throw new ParameterError('module', shown(module), fault);
}

/** What a module refuses by a RangeError is about its options; other errors are faults of the module. */
function made(spec: OwnRandomizerSpec, parameters: Readonly<Record<string, number>>): FrequencyOracle {
  const { module, options } = spec;
  const factory = factoryOf(module);
  try {
    return factory(parameters);
  } catch (error) {
    const given = JSON.stringify(parameters);
    if (error instanceof RangeError)
      throw new ParameterError(
        'options',
        options,
        `what ${shown(module)} allows, given ${given}: ${error.message}`,
      );
    throw new ParameterError(
      'module',
      shown(module),
      `one that makes an oracle of ${given}: ${thrownWords(error, module)}`,
    );
  }
}

function factoryOf(module: string): OracleFactory {
  const known = factories.get(module);
  if (known) return known;
  let loaded: unknown;
  try {
    // Synchronous, which modules without top-level await allow, and through the same loader as the program itself.
    loaded = createRequire(import.meta.url)(module);
  } catch (error) {
    const reason = (error instanceof SyntaxError && syntaxWords(module)) || thrownWords(error, module);
    throw new ParameterError('module', shown(module), `a module that can be loaded: ${reason}`);
  }
  // A CommonJS module is what it exports.
  const exported =
    typeof loaded === 'function' ? loaded : (loaded as { readonly default?: unknown } | null)?.default;
  if (typeof exported !== 'function')
    throw new ParameterError('module', shown(module), 'a module whose default export is a function');
  const factory = exported as OracleFactory;
  factories.set(module, factory);
  return factory;
}

/** Near where the command was given. */
function shown(module: string): string {
  const near = relative(process.cwd(), module);
  return near.startsWith('..') || isAbsolute(near) ? module : near;
}

/** An error in one line, with its line in the module where the trace has it. */
function thrownWords(error: unknown, module: string): string {
  if (!(error instanceof Error)) return String(error);
  const trace = error.stack ?? '';
  const at = trace.indexOf(`${module}:`);
  const line = at < 0 ? undefined : /^\d+/u.exec(trace.slice(at + module.length + 1))?.[0];
  const where = line === undefined ? '' : ` (line ${line})`;
  return `${error.name}: ${error.message.split('\n')[0]}${where}`;
}

/** Errors of syntax do not tell their place; a check of the file alone does. */
function syntaxWords(module: string): string | null {
  const { stderr } = spawnSync(process.execPath, ['--check', module], { encoding: 'utf8' });
  const line = /:(\d+)$/mu.exec(stderr)?.[1];
  const reason = /^SyntaxError: (.*)$/mu.exec(stderr)?.[1];
  return line === undefined || reason === undefined ? null : `line ${line}: SyntaxError: ${reason}`;
}
