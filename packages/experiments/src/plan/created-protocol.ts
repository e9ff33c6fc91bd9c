/** A protocol at the target of a plan, with its expected error on the data that plans take. */
import {
  createFrequencyProtocol,
  createHeavyHitterProtocol,
  createNumberProtocol,
  createSetProtocol,
  createVectorProtocol,
  type FrequencyProtocolSpec,
  type HeavyHitterSpec,
  type NumberProtocolSpec,
  type SetProtocolSpec,
  type ShuffleProtocol,
  type VectorProtocolSpec,
} from '@shuffle-dp/protocols';
import { Real, type Interval, type PrivacyStatement } from '@shuffle-dp/core';
import { threatsToPrivacy } from '../kinds/threats.ts';
import { madeStricter } from '../kinds/under-threats.ts';
import type { Candidate } from './candidates.ts';
import { evenCategories, evenNumbers, evenSets } from './even-data.ts';
import { bitsOf, topOf, type PlanSetting } from './plan-setting.ts';
import { simulatedError } from './simulated-error.ts';

export interface ExpectedError {
  readonly value: number;
  readonly by: 'closed form' | 'simulation';
  /** Of a simulation: 95 %. */
  readonly interval?: Interval;
}

export interface CreatedProtocol {
  readonly name: string;
  readonly protocol: AnyProtocol;
  readonly rounds: number;
  /** Asked for last, since it may take trials; null where it has no closed form and is not simulated. */
  error(): ExpectedError | null;
}

/** What the protocols of all tasks have in common. */
type AnyProtocol = Pick<
  ShuffleProtocol<never>,
  'name' | 'parameters' | 'paths' | 'certifiedPrivacy' | 'threatenedPrivacy' | 'cost'
>;

type Spec = Candidate['variants'][number];

/** How wide brackets of divergences may be: some thousandths of a percent of epsilon. */
const RELATIVE_GAP = 1e-3;

/** That a protocol has no guarantee under the threats of a plan. */
export class NothingProvedError extends Error {}

/**
 * Where users collude or stay away, with parameters for the honest who take part.
 * @throws ParameterError, OutOfRegimeError, NothingProvedError where there is no such protocol at the target
 */
export function createdProtocol(spec: Spec, setting: PlanSetting): CreatedProtocol {
  const { epsilon, threats } = setting;
  const plain = madeFor(spec, setting);
  const excessOf = (made: CreatedProtocol): number =>
    Real.log(worstOf(provedOf(made, setting)).epsilon.upper / epsilon);
  if (threats === undefined) return plain;
  const beyond = excessOf(plain);
  if (beyond <= 0) return plain;
  const make = (share: number): CreatedProtocol => madeFor(spec, { ...setting, epsilon: share * epsilon });
  return madeStricter(plain, beyond, make, excessOf);
}

/** What is proved of all users, or under threats of the honest who take part. @throws NothingProvedError */
export function provedOf(
  { protocol }: CreatedProtocol,
  { users, threats }: PlanSetting,
): readonly PrivacyStatement[] {
  if (threats === undefined) return protocol.certifiedPrivacy();
  const statements = protocol.threatenedPrivacy?.(threatsToPrivacy(users, threats));
  if (!statements?.length)
    throw new NothingProvedError('no privacy is proved for it where users collude or stay away');
  return statements;
}

/** The statement of the largest epsilon. */
export function worstOf(statements: readonly PrivacyStatement[]): PrivacyStatement {
  return statements.reduce((most, one) => (one.epsilon.upper > most.epsilon.upper ? one : most));
}

function madeFor(spec: Spec, setting: PlanSetting): CreatedProtocol {
  const { task } = setting;
  if (task === 'heavy-hitters') return createdSearch(spec as HeavyHitterSpec, setting);
  if (task === 'vector-mean') return createdVectors(spec as VectorProtocolSpec, setting);
  if (task === 'sets') return createdSets(spec as SetProtocolSpec, setting);
  if (task === 'mean' || task === 'sum') return createdNumbers(spec as NumberProtocolSpec, setting);
  return createdFrequencies(spec as FrequencyProtocolSpec, setting);
}

function inClosedForm(protocol: AnyProtocol, error: () => number | null): CreatedProtocol {
  return {
    name: protocol.name,
    protocol,
    rounds: 1,
    error() {
      const value = error();
      return value === null ? null : { value, by: 'closed form' };
    },
  };
}

function createdFrequencies(spec: FrequencyProtocolSpec, setting: PlanSetting): CreatedProtocol {
  const { task, users, epsilon, delta } = setting;
  const domain = setting.domain!;
  const protocol = createFrequencyProtocol(spec, {
    users,
    domain,
    epsilon,
    delta,
    relativeGap: RELATIVE_GAP,
  });
  const data = evenCategories(users, domain);
  return inClosedForm(protocol, () =>
    task === 'ranges' ? protocol.expectedRangeError(data) : protocol.expectedError(data),
  );
}

function createdSets(
  spec: SetProtocolSpec,
  { users, epsilon, delta, threats, ...setting }: PlanSetting,
): CreatedProtocol {
  const [domain, items] = [setting.domain!, setting.items!];
  const target = { delta, levels: [epsilon], shares: [1], colluding: threats?.colluding ?? 0 };
  const protocol = createSetProtocol(spec, { users, domain, items, ...target });
  return inClosedForm(protocol, () => protocol.expectedError(evenSets(users, domain, items)));
}

function createdNumbers(
  spec: NumberProtocolSpec,
  { task, users, epsilon, delta, threats }: PlanSetting,
): CreatedProtocol {
  const { colluding = 0, dropout = 0 } = threats ?? {};
  const target = { epsilon, delta, colluding, dropout };
  const protocol = createNumberProtocol(spec, { users, ...target, relativeGap: RELATIVE_GAP });
  const scale = task === 'sum' ? users * users : 1;
  const data = evenNumbers(users);
  const { costOf } = protocol;
  const ofData = costOf ? { ...protocol, cost: () => costOf(data) } : protocol;
  return inClosedForm(ofData, () => {
    const error = protocol.expectedError(data);
    return error === null ? null : scale * error;
  });
}

/** Directions: coordinates lie in [-1, 1]. */
function createdVectors(spec: VectorProtocolSpec, setting: PlanSetting): CreatedProtocol {
  const { users, epsilon, delta } = setting;
  const protocol = createVectorProtocol(spec, {
    users,
    dimensions: setting.domain!,
    range: { low: -1, high: 1 },
    epsilon,
    delta,
  });
  return inClosedForm(protocol, () => protocol.directionsError());
}

/** Hashed bits take two rounds, whatever the number of their groups. */
const HASHED_ROUNDS = 2;

function createdSearch(spec: HeavyHitterSpec, setting: PlanSetting): CreatedProtocol {
  const { users, epsilon, delta } = setting;
  const shape = { users, bits: bitsOf(setting.domain!), top: topOf(setting) };
  const protocol = createHeavyHitterProtocol(spec, { ...shape, epsilon, delta });
  const { oracle, rounds } = protocol.parameters;
  return {
    name: `${protocol.name}: ${oracle as string}`,
    protocol,
    rounds: typeof rounds === 'number' ? rounds : HASHED_ROUNDS,
    error: () => ({ by: 'simulation', ...simulatedError(protocol, shape) }),
  };
}
