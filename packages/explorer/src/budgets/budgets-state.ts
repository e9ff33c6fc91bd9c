/** The state of the page Own budgets: from the fields of the address, to a question and a command. */
import { knownName } from '../address/known-name.ts';
import { fieldMaker, type WrittenField } from '../controls/written-field.ts';
import { refusedNumber } from '../controls/refused-number.ts';
import type { Refusal } from '../engine/messages.ts';
import { typedNumber, writtenNumber } from '../words/numbers.ts';
import type { BudgetMechanism, BudgetsSetting } from './contract.ts';

export const MECHANISM_TITLES: Readonly<Record<BudgetMechanism, string>> = {
  laplace: 'Laplace mechanism',
  'clip-laplace': 'Clip-Laplace mechanism',
  gaussian: 'Gaussian mechanism',
  grr: 'Generalized randomized response',
};

/** The distributions of the papers on personal budgets, and two of ours. */
export const BUDGET_EXAMPLES = [
  { title: 'uniform', text: 'uniform(0.05,1)' },
  { title: 'bell', text: 'gaussian(0.5,0.2,0.05,1)' },
  { title: 'two kinds', text: 'mixture(0.9*gaussian(0.2,0.05,0.05,1),0.1*gaussian(1,0.1,0.05,1.5))' },
  { title: 'alike', text: 'constant(0.5)' },
] as const;

/** Of all mechanisms: a number that one of them has stays written while another is looked at. */
export const BUDGETS_FIELDS = ['budgets', 'mechanism', 'users', 'delta', 'localDelta', 'domain', 'levels'];

export interface BudgetsState {
  readonly budgets: string;
  readonly mechanism: BudgetMechanism;
  /** The name of none of them, which was asked for. */
  readonly unknown: string | null;
  /** Numbers that the mechanism takes. */
  readonly fields: readonly WrittenField[];
}

export function budgetsState(fields: Readonly<Record<string, string>>): BudgetsState {
  const mechanisms = Object.keys(MECHANISM_TITLES) as BudgetMechanism[];
  const { name: mechanism, unknown } = knownName(mechanisms, fields['mechanism'], 'grr');
  const field = fieldMaker(fields);
  return {
    budgets: fields['budgets'] ?? BUDGET_EXAMPLES[0].text,
    mechanism,
    unknown,
    fields: [
      field('users', 'users', 'whose budgets are drawn; a list has its own number', '1000'),
      field('delta', 'central delta', 'asks for epsilon', '1e-6'),
      ...(mechanism === 'gaussian'
        ? [field('localDelta', 'local delta', 'of each user’s noise', '1e-10')]
        : []),
      ...(mechanism === 'grr'
        ? [field('domain', 'domain', 'values of randomized response, from 2 to 4096', '16')]
        : []),
      field('levels', 'levels', 'number of values that budgets are rounded down to', '10'),
    ],
  };
}

/** Most users whose budgets are drawn here. */
const MOST_USERS = 1_000_000;

/** Counts that can be asked with; levels of more budgets take minutes. */
const COUNTS: Readonly<Record<string, readonly [number, number]>> = {
  users: [1, MOST_USERS],
  domain: [2, 4096],
  levels: [1, 50],
};

/** What the engine is asked, or what it cannot be asked with. */
export function budgetsQuestion({ budgets, mechanism, fields }: BudgetsState): BudgetsSetting | Refusal {
  const refusal = refusedNumber(
    fields.map(({ name, label, text }) => ({
      name,
      label,
      text,
      ...(COUNTS[name] && { whole: COUNTS[name] }),
    })),
  );
  const values = Object.fromEntries(fields.map(({ name, text }) => [name, typedNumber(text)]));
  const { users = 0, delta = 0, localDelta = 0, domain = 16, levels = 1 } = values;
  // Lines of the text area say nothing, and the command is one line.
  const oneLine = budgets.trim().replaceAll(/\s+/gu, ' ');
  return refusal ?? { budgets: oneLine, users, mechanism, delta, localDelta, domain, levels };
}

export function budgetsCommand({
  budgets,
  users,
  mechanism,
  delta,
  localDelta,
  domain,
  levels,
}: BudgetsSetting): string {
  const isDrawn = /^[a-z]+\(/u.test(budgets);
  return [
    // What was answered has nothing that means more between these quotes, which every shell knows.
    `shuffle-dp personalized --budgets "${budgets}"`,
    ...(isDrawn ? [`--users ${users}`] : []),
    `--mechanism ${mechanism} --delta ${writtenNumber(delta)}`,
    ...(mechanism === 'gaussian' ? [`--local-delta ${writtenNumber(localDelta)}`] : []),
    ...(mechanism === 'grr' ? [`--domain ${domain}`] : []),
    `--levels ${levels}`,
  ].join(' ');
}
