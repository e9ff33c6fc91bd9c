/** The mechanisms that `account` knows, as data. Imports nothing heavy. */
import { CATEGORY_MECHANISMS } from './mechanisms/categories.ts';
import { EACH_USER, epsilon0, parameter, type MechanismEntry } from './mechanisms/mechanism-entry.ts';
import { METRIC_MECHANISMS } from './mechanisms/metric.ts';
import { MULTI_MESSAGE_MECHANISMS } from './mechanisms/multi-message.ts';
import { NUMBER_MECHANISMS } from './mechanisms/numbers.ts';
import { SET_MECHANISMS } from './mechanisms/sets.ts';

export const MECHANISMS: readonly MechanismEntry[] = [
  {
    name: 'general',
    title: 'Any randomizer',
    description: 'Whatever randomizer with the given local budget is the worst.',
    source: 'Feldman, McMillan and Talwar, FOCS 2021',
    citation: 'fmt2021',
    parameters: [epsilon0],
    usersMean: EACH_USER,
    ratios: { p: 'e^epsilon0', beta: '(p - 1) / (p + 1)', q: 'p' },
    estimator: 'that of the randomizer at hand',
    example: { epsilon0: 1 },
  },
  ...CATEGORY_MECHANISMS,
  ...NUMBER_MECHANISMS,
  ...METRIC_MECHANISMS,
  ...SET_MECHANISMS,
  ...MULTI_MESSAGE_MECHANISMS,
  {
    name: 'variation-ratio',
    title: 'A pair by its parameters',
    description: 'The variation-ratio pair itself, for any mechanism that it is known to dominate.',
    source: 'Wang et al., PVLDB 17(8), 2024, Definitions 4.1 and 4.2',
    citation: 'wang2024',
    parameters: [
      parameter('p', '(1, inf]', "largest ratio of the victim's two laws; inf for multi-message protocols"),
      parameter('beta', '[0, (p - 1) / (p + 1)]', 'their total variation'),
      parameter('q', '[1, inf)', "largest ratio of a victim's law to any other user's"),
    ],
    usersMean: "the victim's message and all that can hide it",
    ratios: { p: 'p', beta: 'beta', q: 'q' },
    estimator: 'none: a pair of laws, not a mechanism',
    example: { p: Infinity, beta: 1, q: 16 },
  },
];

/** 'subsetSize' as on the command line: 'subset-size'. */
export function flagName(parameterName: string): string {
  return parameterName.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}

/** A command that accounts the mechanism at its example. */
export function exampleCommand(name: string, example: MechanismEntry['example']): string {
  const flags = Object.entries(example).map(
    ([parameterName, value]) => `--${flagName(parameterName)} ${value === Infinity ? 'inf' : value}`,
  );
  return `shuffle-dp account ${name} ${flags.join(' ')} --users 10000 --delta 1e-6`;
}
