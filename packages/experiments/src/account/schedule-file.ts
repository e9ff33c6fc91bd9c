/**
 * A schedule of rounds that differ: YAML or JSON, a list of mechanisms with their parameters, users and
 * rounds.
 */
import { ParameterError, UsageError } from '@shuffle-dp/core';
import { parseYaml } from '../documents/check-document.ts';
import { ConfigError, pathText, refusal, valueText } from '../documents/config-error.ts';
import { readConfigFile } from '../config/load-config.ts';
import type { ScheduledRounds } from './compose-account.ts';
import { checkParameters, flagName, MOST_ROUNDS, MOST_USERS } from './mechanism-parameters.ts';
import { mechanismCard } from './mechanisms.ts';

/** The rounds of a schedule, a list in YAML or JSON, checked. @throws ConfigError with the field */
export function loadSchedule(file: string): ScheduledRounds[] {
  const entries = parseYaml(readConfigFile(file), file);
  if (!Array.isArray(entries) || entries.length === 0)
    throw new ConfigError(
      `${file}: must be a list of rounds, such as - { mechanism: grr, epsilon0: 1, domain: 16, users: 10000, rounds: 3 }`,
    );
  return entries.map((entry: unknown, i) => scheduled(file, i, entry));
}

function scheduled(file: string, index: number, entry: unknown): ScheduledRounds {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    throw refusal(file, [index], entry, 'a mechanism with its parameters, users and rounds');
  const { mechanism, users, rounds, ...rest } = entry as Record<string, unknown>;
  if (mechanism === undefined)
    throw refusal(file, [index, 'mechanism'], mechanism, 'one of `shuffle-dp mechanisms`');
  try {
    const card = mechanismCard(typeof mechanism === 'string' ? mechanism : valueText(mechanism));
    const keys = new Map(Object.keys(rest).map((key) => [camelCase(key), key]));
    const called = (parameter: string): string => keys.get(parameter) ?? flagName(parameter);
    const given = Object.fromEntries(
      [...keys].map(([parameter, key]) => [parameter, numberOf(file, [index, key], rest[key])]),
    );
    const parameters = checkParameters(card, given, called);
    // Whatever else the mechanism refuses is said with the entry that it stands in.
    card.model(parameters);
    return {
      mechanism: card.name,
      parameters,
      users: wholeNumber(file, [index, 'users'], users, MOST_USERS),
      rounds: rounds === undefined ? 1 : wholeNumber(file, [index, 'rounds'], rounds, MOST_ROUNDS),
    };
  } catch (error) {
    if (error instanceof UsageError || error instanceof ParameterError)
      throw new ConfigError(`${file}: ${pathText([index])}.${error.message}`);
    throw error;
  }
}

/** 'hash-range' or 'hashRange'. */
function camelCase(key: string): string {
  return key.replaceAll(/-([a-z0-9])/gu, (_, letter: string) => letter.toUpperCase());
}

function numberOf(file: string, path: (string | number)[], value: unknown): number {
  if (typeof value === 'number' && !Number.isNaN(value)) return value;
  if (typeof value === 'string' && /^inf(inity)?$/iu.test(value)) return Infinity;
  throw refusal(file, path, value, 'a number, or inf');
}

function wholeNumber(file: string, path: (string | number)[], value: unknown, most: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= most) return value;
  throw refusal(file, path, value, `an integer from 1 to ${most}`);
}
