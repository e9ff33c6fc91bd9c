/** The state of the page Plan: from the fields of the address, to a question and a command. */
import { TRUST } from '@shuffle-dp/core';
import type { PlanSetting, PlanTask } from '@shuffle-dp/experiments/plan';
import { knownName } from '../address/known-name.ts';
import { refusedNumber } from '../controls/refused-number.ts';
import { fieldMaker, type WrittenField } from '../controls/written-field.ts';
import type { Refusal } from '../engine/messages.ts';
import { typedNumber, writtenNumber } from '../words/numbers.ts';

/** What is estimated, and what its error is. */
export const TASKS: Readonly<Record<PlanTask, { readonly title: string; readonly error: string }>> = {
  frequencies: { title: 'frequencies of categories', error: 'sum of squared errors over the categories' },
  ranges: { title: 'ranges of categories', error: 'squared error of a range, mean over all ranges' },
  mean: { title: 'mean of numbers', error: 'squared error of the mean of numbers in [0, 1]' },
  sum: { title: 'sum of numbers', error: 'squared error of the sum of numbers in [0, 1]' },
  sets: { title: 'sets of items', error: 'sum of squared errors over the items' },
  'vector-mean': {
    title: 'mean of unit vectors',
    error: 'sum of squared errors over the coordinates',
  },
  'heavy-hitters': {
    title: 'heavy hitters',
    error: 'sum of squared errors over the most frequent identifiers, by a few trials',
  },
};

/** Of all tasks: a number that one of them has stays written while another is looked at. */
export const PLAN_FIELDS = 'task trust sort users domain items top epsilon delta messages bits'.split(' ');

export interface PlanState {
  readonly task: PlanTask;
  /** The name of none of them, which was asked for. */
  readonly unknown: string | null;
  readonly augmented: boolean;
  /** Likewise, of whom users trust and of the column that is sorted by. */
  readonly unknownTrust: string | null;
  readonly unknownSort: string | null;
  readonly fields: readonly WrittenField[];
  readonly sort: SortColumn;
}

/** Columns that the table can be sorted by. */
export const SORT_COLUMNS = ['error', 'messages', 'bits'] as const;

export type SortColumn = (typeof SORT_COLUMNS)[number];

interface DomainField {
  readonly label: string;
  readonly hint: string;
  readonly otherwise: string;
}

const CATEGORIES = { label: 'domain', hint: 'categories or items that exist', otherwise: '16' } as const;

/** The number `domain` of each task that has one. */
const DOMAINS: Readonly<Partial<Record<PlanTask, DomainField>>> = {
  frequencies: CATEGORIES,
  ranges: CATEGORIES,
  sets: CATEGORIES,
  'vector-mean': { label: 'dimensions', hint: 'of every vector', otherwise: '16' },
  'heavy-hitters': { label: 'domain', hint: 'identifiers that exist', otherwise: '65536' },
};

export function planState(fields: Readonly<Record<string, string>>): PlanState {
  const { name: task, unknown } = knownName(Object.keys(TASKS) as PlanTask[], fields['task'], 'frequencies');
  const field = fieldMaker(fields);
  const domain = DOMAINS[task];
  const trust = knownName(TRUST, fields['trust'], 'shuffler');
  const sort = knownName(SORT_COLUMNS, fields['sort'], 'error');
  return {
    task,
    unknown,
    augmented: trust.name === 'augmented',
    sort: sort.name,
    unknownTrust: trust.unknown,
    unknownSort: sort.unknown,
    fields: [
      field('users', 'users', 'who each take part once', '10000'),
      ...(domain ? [field('domain', domain.label, domain.hint, domain.otherwise)] : []),
      ...(task === 'sets' ? [field('items', 'items', 'that every user holds', '3')] : []),
      ...(task === 'heavy-hitters' ? [field('top', 'top', 'most frequent ones looked for', '16')] : []),
      field('epsilon', 'central epsilon', 'proved for every data set', '1'),
      field('delta', 'central delta', 'failure probability', '1e-6'),
      field('messages', 'most messages', 'of a user on average; inf is no limit', 'inf'),
      field('bits', 'most bits', 'of a user on average; inf is no limit', 'inf'),
    ],
  };
}

/** What is looked for among protocols, of which none is where these are not above 0. */
const LIMITS = new Set(['messages', 'bits']);

/** What the engine is asked, or what it cannot be asked with. */
export function planQuestion({ task, augmented, fields }: PlanState): PlanSetting | Refusal {
  const refusal = refusedNumber(fields.map((field) => ({ ...field, isPositive: LIMITS.has(field.name) })));
  if (refusal !== null) return refusal;
  const values = Object.fromEntries(fields.map(({ name, text }) => [name, typedNumber(text)]));
  const {
    users = 0,
    domain,
    items,
    top,
    epsilon = 0,
    delta = 0,
    messages = Infinity,
    bits = Infinity,
  } = values;
  return {
    task,
    users,
    epsilon,
    delta,
    ...(domain === undefined ? {} : { domain }),
    ...(items === undefined ? {} : { items }),
    ...(top === undefined ? {} : { top }),
    limits: {
      trust: augmented ? 'augmented' : 'shuffler',
      ...(messages === Infinity ? {} : { messages }),
      ...(bits === Infinity ? {} : { bits }),
    },
  };
}

export function planCommand({
  task,
  users,
  domain,
  items,
  top,
  epsilon,
  delta,
  limits,
}: PlanSetting): string {
  const flags: readonly (readonly [flag: string, value: number | undefined])[] = [
    ['users', users],
    ['domain', domain],
    ['items', items],
    ['top', top],
    ['epsilon', epsilon],
    ['delta', delta],
    ['max-messages', limits?.messages],
    ['max-bits', limits?.bits],
  ];
  return [
    `shuffle-dp plan --task ${task}`,
    ...flags.flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag} ${writtenNumber(value)}`])),
    ...(limits?.trust === 'augmented' ? ['--trust augmented'] : []),
  ].join(' ');
}
