/** A plan as text and as JSON. */
import type { Plan, PlannedProtocol } from '@shuffle-dp/experiments/plan';
import { shortNumber, textTable } from './text-table.ts';
import { wrapped } from './wrapped.ts';

export function planJson({ setting, rows, excluded }: Plan): object {
  return { setting, best: rowJson(rows[0]!), rows: rows.map(rowJson), excluded };
}

function rowJson({
  protocol,
  spec,
  parameters,
  error,
  messages,
  bits,
  trust,
  epsilon,
}: PlannedProtocol): object {
  return {
    protocol,
    parameters,
    error,
    errorBy: 'closed form',
    messages,
    bits,
    trust,
    rounds: 1,
    epsilon,
    config: spec,
  };
}

/** Within 80 columns. @param written the config file, where one was written */
export function planText(plan: Plan, written?: string): string {
  const { setting, rows, excluded } = plan;
  const [best, second] = rows;
  return [
    headline(plan),
    '',
    textTable(
      ['protocol', 'error', 'times the best', 'messages', 'bits'],
      rows.map((row) => [
        row.protocol,
        shortNumber(row.error, 3),
        shortNumber(row.error / best!.error, 3),
        shortNumber(row.messages, 3),
        shortNumber(row.bits, 3),
      ]),
    ),
    '',
    wrapped(second ? runnerUp(best!, second) : `${best!.protocol} is the only one left.`),
    ...(best!.trust === 'augmented'
      ? [wrapped('Its shuffler drops and adds messages itself: users trust it with more than permuting.')]
      : []),
    wrapped(
      `Errors: expected squared error${ERRORS[setting.task]}, by closed forms, for users spread evenly. Epsilon is proved for every data set.`,
    ),
    '',
    'Parameters, and between which ends epsilon is proved to be:',
    ...rows.map((row) =>
      wrapped(`${row.protocol}: ${parametersText(row)}; epsilon ${epsilonText(row)}`, '  '),
    ),
    ...(excluded.length === 0
      ? []
      : ['', 'Left out:', ...excluded.map(({ protocol, why }) => wrapped(`${protocol}: ${why}`, '  '))]),
    ...(written === undefined ? [] : ['', `${written} verifies it: shuffle-dp compare ${written}`]),
  ].join('\n');
}

function epsilonText({ epsilon: { lower, upper } }: PlannedProtocol): string {
  return `${shortNumber(lower)} to ${shortNumber(upper)}`;
}

const ERRORS = {
  frequencies: ' summed over the categories',
  ranges: ' of a range, mean over all ranges',
  mean: ' of the mean of numbers in [0, 1]',
  sum: ' of the sum of numbers in [0, 1]',
  sets: ' summed over the items',
} as const;

function headline({ setting: { task, users, domain, items, epsilon, delta } }: Plan): string {
  const over = domain === undefined ? '' : ` over ${domain.toLocaleString('en')}`;
  const each = items === undefined ? '' : `, ${items} items a user`;
  return `${task}${over}${each}, ${users.toLocaleString('en')} users, epsilon ${shortNumber(epsilon)}, delta ${delta}`;
}

function runnerUp(best: PlannedProtocol, second: PlannedProtocol): string {
  const ratio = second.error / best.error;
  const compared = (name: 'messages' | 'bits'): string =>
    `${shortNumber(second[name], 3)} ${name} in place of ${shortNumber(best[name], 3)}`;
  return `${best.protocol} errs least. The runner-up, ${second.protocol}, errs ${shortNumber(ratio, 3)} times as much with ${compared('messages')} and ${compared('bits')}.`;
}

/** What a deployment has to set. */
function parametersText({ parameters }: PlannedProtocol): string {
  return Object.entries(parameters)
    .filter(([name, value]) => typeof value === 'number' && !['low', 'high', 'epsilon'].includes(name))
    .map(([name, value]) => `${name} ${shortNumber(value as number)}`)
    .join(', ');
}
