/** The present account for the command line, and for a config. */
import { flagName } from '@shuffle-dp/experiments/account';
import { writtenNumber } from '../words/numbers.ts';
import type { AccountSetting, ShownMechanism } from './contract.ts';

/** 'shuffle-dp account grr --epsilon0 1 --domain 16 --users 10000 --delta 1e-6' */
export function accountCommand({ mechanism, parameters, users, target }: AccountSetting): string {
  const flags = { ...parameters, users, ...target };
  return ['shuffle-dp account', mechanism, ...flagTexts(flags)].join(' ');
}

export function flagTexts(flags: Readonly<Record<string, number>>): string[] {
  return Object.entries(flags).map(([name, value]) => `--${flagName(name)} ${writtenNumber(value)}`);
}

/** A schedule of one round, which compose reads. */
export function scheduleText(
  rounds: readonly {
    readonly mechanism: string;
    readonly parameters: Readonly<Record<string, number>>;
    readonly users: number;
    readonly rounds: number;
  }[],
): string {
  return rounds
    .map(({ mechanism, parameters, users, rounds: count }) => {
      const fields = Object.entries({ ...parameters, users, rounds: count }).map(
        ([name, value]) => `${flagName(name)}: ${yamlNumber(value)}`,
      );
      return `- { mechanism: ${mechanism}, ${fields.join(', ')} }\n`;
    })
    .join('');
}

/**
 * A config that estimates frequencies with the mechanism, over categories whose shares fall as 1/rank; for
 * mechanisms that no config runs, a schedule for compose.
 */
export function accountConfig(
  { mechanism, parameters, users, target }: AccountSetting,
  { configOptions }: Pick<ShownMechanism, 'configOptions'>,
): string {
  if (configOptions === null) return scheduleText([{ mechanism, parameters, users, rounds: 1 }]);
  const { domain = 16 } = parameters;
  const own = ['epsilon0', ...configOptions].flatMap((name) => {
    const value = parameters[name];
    return value === undefined ? [] : [`, ${name}: ${yamlNumber(value)}`];
  });
  const delta = 'delta' in target ? yamlNumber(target.delta) : '0.01/n';
  return `name: ${mechanism}
seed: ${mechanism}
adjacency: replace-one
trials: 20
data: { kind: categories-zipf, domain: ${domain}, exponent: 1 }
users: ${users}
privacy: { delta: ${delta} }
protocols:
  - { kind: frequency, randomizer: ${mechanism}${own.join('')} }
`;
}

/** YAML takes 1e-6 for a text unless it has a point. */
function yamlNumber(value: number): string {
  const text = writtenNumber(value);
  return text.includes('e') && !text.includes('.') ? text.replace('e', '.0e') : text;
}
