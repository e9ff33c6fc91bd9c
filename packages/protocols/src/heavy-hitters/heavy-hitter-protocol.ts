/** What searches for heavy hitters are: identifiers of many users, and the few that most of them hold. */
import {
  ParameterError,
  requireInteger,
  requireOpenUnit,
  type Cost,
  type PrivacyStatement,
  type ProtocolParameters,
  type RandomStream,
  type SimulationPath,
} from '@shuffle-dp/core';
import { centralTarget } from '../setting.ts';
import { MOST_BITS, type IdentifierData } from './identifier-data.ts';

/** How many identifiers a search may look for. */
export const MOST_SOUGHT = 2 ** 16;

export interface HeavyHitterSetting {
  readonly users: number;
  /** Identifiers are 0 to 2^bits - 1, up to 48 bits. */
  readonly bits: number;
  /** How many are looked for. */
  readonly top: number;
  /** Central target in nats. */
  readonly epsilon: number;
  /** Central failure probability, in (0, 1). */
  readonly delta: number;
}

/** Most frequent first. */
export interface HeavyHitters {
  readonly identifiers: Float64Array;
  /**
   * Unbiased for an identifier that is fixed beforehand, and too large on average for the largest of many.
   */
  readonly frequencies: Float64Array;
}

export interface HeavyHitterProtocol {
  readonly kind: string;
  readonly name: string;
  readonly description: string;
  /** With those of the protocols of its rounds. */
  readonly parameters: ProtocolParameters;
  readonly paths: readonly SimulationPath[];
  find(data: IdentifierData, stream: RandomStream, path: SimulationPath): HeavyHitters;
  certifiedPrivacy(): readonly PrivacyStatement[];
  cost(): Cost;
}

/** @throws ParameterError */
export function checkHeavyHitterSetting(setting: HeavyHitterSetting): HeavyHitterSetting {
  requireInteger('users', setting.users, 1);
  requireInteger('bits', setting.bits, 1, MOST_BITS);
  requireInteger('top', setting.top, 1, Math.min(2 ** setting.bits, MOST_SOUGHT));
  requireOpenUnit('delta', setting.delta);
  centralTarget(setting, 'privacy.epsilon');
  return setting;
}

/**
 * Sizes of groups that are as equal as whole numbers allow. @throws ParameterError where some would be empty
 */
export function equalSizes(users: number, groups: number): number[] {
  if (users < groups) throw new ParameterError('users', users, `at least ${groups}, one for each round`);
  return Array.from({ length: groups }, (_, i) => Math.floor((users + i) / groups));
}

/** Places of the largest values, largest first; of equal ones the earlier. */
export function largest(values: Float64Array, count: number): number[] {
  return Array.from(values, (_, i) => i)
    .sort((a, b) => values[b]! - values[a]! || a - b)
    .slice(0, count);
}
