/** A plan as text and as JSON. */
import { picked } from '@shuffle-dp/core';
import { PLAN_TRIALS, type Plan, type PlannedProtocol, type PlanTask } from '@shuffle-dp/experiments/plan';
import { deployedParametersText } from '@shuffle-dp/experiments/words';
import { fileWord } from '../options/shell-word.ts';
import { threatsText } from '../options/threat-options.ts';
import { largeDeltaLines } from './target-notes.ts';
import { shortEnd, shortEnds, shortNumber, textTable } from './text-table.ts';
import { wrapped } from './wrapped.ts';

export function planJson({ setting, rows, excluded }: Plan): object {
  return { setting, best: rowJson(rows[0]!), rows: rows.map(rowJson), excluded };
}

function rowJson(row: PlannedProtocol): object {
  return {
    ...picked(row, 'protocol', 'parameters', 'error', 'errorBy'),
    errorInterval: row.errorInterval ?? undefined,
    ...picked(row, 'messages', 'bits', 'trust', 'rounds', 'epsilon', 'blanketAlone'),
    config: row.spec,
  };
}

/** @param written the config file, where one was written */
export function planText(plan: Plan, written?: string): string {
  const { setting, rows, excluded } = plan;
  const [best, second] = rows;
  return [
    headline(plan),
    ...largeDeltaLines(setting.delta, setting.users),
    ...(setting.threats
      ? [wrapped(`${threatsText(setting.threats)}; errors are computed as if all users took part`)]
      : []),
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
    wrapped(second ? runnerUp(best!, second) : `${best!.protocol} is the only protocol left.`),
    ...(best!.trust === 'augmented'
      ? [
          wrapped(
            'Its shuffler drops and adds messages itself: users must trust it with more than permuting.',
          ),
        ]
      : []),
    wrapped(
      `Errors: expected squared error${ERRORS[setting.task]}, ${howKnown(best!)}. Epsilon is proved for every data set.`,
    ),
    ...blanketLines(rows),
    '',
    'Parameters, and the proved bracket of epsilon:',
    ...rows.map(({ protocol, parameters, epsilon }) => {
      const bracket = shortEnds(epsilon, 4, ' to ');
      return wrapped(`${protocol}: ${deployedParametersText(parameters)}; epsilon ${bracket}`, '  ');
    }),
    ...(excluded.length === 0
      ? []
      : ['', 'Left out:', ...excluded.map((left) => wrapped(leftOutText(left), '  '))]),
    ...(written === undefined ? [] : ['', `${written} verifies it: shuffle-dp compare ${fileWord(written)}`]),
  ].join('\n');
}

/** Of what may err less than the table says. */
function blanketLines(rows: readonly PlannedProtocol[]): string[] {
  const names = rows.filter(({ blanketAlone }) => blanketAlone).map(({ protocol }) => protocol);
  if (names.length === 0) return [];
  return [
    wrapped(`Calibrated by the blanket alone; a sharper bound may allow less error: ${names.join(', ')}.`),
  ];
}

const ERRORS = {
  frequencies: ' summed over the categories',
  ranges: ' of a range, mean over all ranges',
  mean: ' of the mean of numbers in [0, 1]',
  sum: ' of the sum of numbers in [0, 1]',
  sets: ' summed over the items',
  'vector-mean': ' summed over the coordinates of the mean of unit vectors',
  'heavy-hitters': ' summed over the true most frequent identifiers, where a missed one counts as 0',
} as const satisfies Readonly<Record<PlanTask, string>>;

function howKnown({ errorBy, errorInterval }: PlannedProtocol): string {
  if (errorBy === 'closed form' || errorInterval === null) return 'by closed forms, for users spread evenly';
  const { lower, upper } = errorInterval;
  return `by ${PLAN_TRIALS} trials each on identifiers by Zipf's law (${shortNumber(lower, 2)} to ${shortNumber(upper, 2)} for the best at confidence 95 %, without misses too rare for so few trials)`;
}

function headline({ setting: { task, users, domain, items, epsilon, delta } }: Plan): string {
  const over = domain === undefined ? '' : ` over ${domain.toLocaleString('en')}`;
  const each = items === undefined ? '' : `, ${items} items a user`;
  return `${task}${over}${each}, ${users.toLocaleString('en')} users, epsilon ${shortEnd(epsilon, 'upper')}, delta ${delta}`;
}

function leftOutText({ protocol, why, trust }: Plan['excluded'][number]): string {
  return `${protocol}: ${why}${trust === undefined ? '' : `: --trust ${trust}`}`;
}

function runnerUp(best: PlannedProtocol, second: PlannedProtocol): string {
  const ratio = second.error / best.error;
  const compared = (name: 'messages' | 'bits'): string => {
    const [sent, instead] = [shortNumber(second[name], 3), shortNumber(best[name], 3)];
    if (sent === instead) return `as many ${name}`;
    return `${sent} ${sent === '1' ? name.slice(0, -1) : name} in place of ${instead}`;
  };
  const more =
    ratio === Infinity
      ? 'more'
      : !(ratio > HARDLY)
        ? 'hardly more'
        : `${shortNumber(ratio, 3)} times as much`;
  const said = `${best.protocol} errs least. The runner-up, ${second.protocol}, errs ${more} with ${compared('messages')} and ${compared('bits')}.`;
  return areTold(best, second) ? said : `${said} Trials do not tell their errors apart.`;
}

/** What three digits do not tell from 1. */
const HARDLY = 1.005;

/** Closed forms are exact; of simulations the intervals must lie apart. */
function areTold(best: PlannedProtocol, second: PlannedProtocol): boolean {
  const most = best.errorInterval?.upper ?? best.error;
  return most < (second.errorInterval?.lower ?? Infinity);
}
