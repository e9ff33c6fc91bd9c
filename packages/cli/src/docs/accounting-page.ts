/**
 * docs/accounting.md: every bound that `account` shows, with its statement, conditions, source and verdict.
 */
import type { Counterexample } from '@shuffle-dp/accounting';
import type { Soundness } from '@shuffle-dp/core';
import { type Account, type AccountedBound, GENERAL_WORDS } from '@shuffle-dp/experiments/account';
import { BOUND_STATEMENTS } from './bound-statements.ts';
import { GENERATED, markdownTable } from '@shuffle-dp/experiments/report';
import { exampleAccounts, rareAccounts, USERS } from './example-accounts.ts';
import { digitsOfEnd } from './mechanisms-page.ts';

/** One bound over all mechanisms at their examples. */
interface BoundSurvey {
  readonly name: string;
  readonly shown: readonly { readonly mechanism: string; readonly bound: AccountedBound }[];
}

export function accountingPage(): string {
  const accounts = exampleAccounts();
  const surveys = surveysOf(accounts);
  return `${[
    '# Accounting',
    GENERATED,
    '`shuffle-dp account MECHANISM` prints a bracket of the mechanism’s privacy after shuffling, from sound bounds only. Beside it\nstands every published bound with its conditions and its verdicts. `--explain` shows the conditions, the values that meet or\nbreak them, and the counterexamples; `--cite` shows the sources as BibTeX. [soundness.md](soundness.md) has F1 to F5 and the\nreasons, [mechanisms.md](mechanisms.md) the mechanisms. Neighbours differ in one user’s value (replace-one); delta is for both\norders of the two data sets.',
    verdictWords(),
    '## All bounds',
    markdownTable(
      ['bound', 'side', 'source', 'in general'],
      surveys.map(({ name, shown }) => [
        `\`${name}\``,
        sidesOf(shown),
        shown[0]!.bound.source,
        verdictOf(shown),
      ]),
    ),
    '## What they give',
    `Central epsilon of the mechanisms’ examples at ${USERS.toLocaleString('en')} users and delta = 1e-6. A value in parentheses comes from a bound that is not sound in\ngeneral; ! marks a value that a data set exceeds. A bound whose conditions no example meets is left out.`,
    ...valueTables(accounts, surveys),
    '## Against other programs',
    OTHER_PROGRAMS,
    '## The bounds one by one',
    ...surveys.map(boundSection),
  ].join('\n\n')}\n`;
}

const OTHER_PROGRAMS = [
  '- The pair agrees with 50-digit references to 1e-9 and better, down to divergences of 1e-300.',
  '- Table 5 of Wang et al. 2024 (any randomizer): the printed values for 20 bisection steps lie up to 0.7 % above ours, as\n  that program’s safety margin of a tenth of delta and its rounding explain. `shuffle-dp figures vr.table5` shows both.',
  '- Brackets of six mechanisms at epsilon0 = 1 to 4 were computed independently on lattices and agree to five decimals,\n  but for searches there that stop up to 3.1e-4 too high. Example: randomized response over 16 values at epsilon0 = 3\n  has 0.17148 there for both ends; finer lattices, and ours, bracket 0.171457.',
].join('\n');

function verdictWords(): string {
  return [
    'A bound is judged twice: its theorem in general, and its value at the given parameters. In general:',
    [
      '- **sound**: proved, and nowhere contradicted by an exact computation.',
      '- **unproven**: the proof has a gap or was not followed here; no violation is known.',
      '- **refuted**: a data set exceeds it somewhere; the counterexample says where. It is kept because papers are compared by it.',
    ].join('\n'),
    'At the given parameters, against the bracket that is proved there:',
    [
      '- **holds here** (`certified` in JSON): the certified upper end lies at or below the value. The value of a refuted theorem may hold.',
      '- **refuted here** (`refuted`): a data set exceeds the value; this data set gives the certified lower end.',
      '- **unproven here** (`unproven`): the value lies inside the bracket.',
    ].join('\n'),
    'A lower bound is judged the other way round. A sound bound that is refuted here is a fault of the program, and an error.',
  ].join('\n\n');
}

function surveysOf(accounts: readonly Account[]): BoundSurvey[] {
  const boundsOf = ({ mechanism, bounds }: Account): BoundSurvey['shown'] =>
    bounds.map((bound) => ({ mechanism, bound }));
  const ofExamples = accounts.flatMap(boundsOf);
  const known = new Set(ofExamples.map(({ bound }) => bound.name));
  const all = [
    ...ofExamples,
    ...rareAccounts()
      .flatMap(boundsOf)
      .filter(({ bound }) => !known.has(bound.name)),
  ];
  // A verdict counts where the bound has a value.
  const told = (name: string): BoundSurvey['shown'] => {
    const shown = all.filter(({ bound }) => bound.name === name);
    const valued = shown.filter(({ bound }) => bound.value !== null);
    return valued.length > 0 ? valued : shown;
  };
  const names = new Set([...Object.keys(BOUND_STATEMENTS), ...all.map(({ bound }) => bound.name)]);
  return [...names].map((name) => ({ name, shown: told(name) })).filter(({ shown }) => shown.length > 0);
}

function sidesOf(shown: BoundSurvey['shown']): string {
  return [...new Set(shown.map(({ bound }) => bound.direction))].join(' and ');
}

function byVerdict(shown: BoundSurvey['shown']): [`${Soundness}`, BoundSurvey['shown']][] {
  return (['true', 'unproven', 'false'] as const)
    .map((word): [`${Soundness}`, BoundSurvey['shown']] => [
      word,
      shown.filter(({ bound }) => `${bound.sound}` === word),
    ])
    .filter(([, own]) => own.length > 0);
}

/** 'sound', or which verdict for which mechanisms. */
function verdictOf(shown: BoundSurvey['shown']): string {
  const groups = byVerdict(shown);
  if (groups.length === 1) return GENERAL_WORDS[groups[0]![0]];
  return groups
    .map(([sound, own]) => `${GENERAL_WORDS[sound]} (${own.length} of ${shown.length})`)
    .join(', ');
}

/** Bounds whose values stand in one table, so that none is wider than a page. */
const FAMILIES: readonly { readonly title: string; readonly names: readonly string[] }[] = [
  {
    title: 'Certified ends',
    names: [
      'homogeneous-data',
      'two-messages',
      'sharp',
      'popular-input',
      'blanket',
      'local-message',
      'poisson-counts',
    ],
  },
  {
    title: 'The blanket, in closed form',
    names: ['blanket-hoeffding-generic', 'blanket-bennett-generic', 'blanket-hoeffding', 'blanket-bennett'],
  },
  {
    title: 'Clones, and others for any randomizer',
    names: [
      'erlingsson',
      'clone-closed',
      'clone',
      'metric-clone',
      'stronger-clone-closed',
      'stronger-clone',
      'renyi',
    ],
  },
  {
    title: 'The variation-ratio pair',
    names: [
      'variation-ratio',
      'variation-ratio-exact-beta',
      'variation-ratio-corrected',
      'variation-ratio-lower',
    ],
  },
  {
    title: 'The variation-ratio pair, in closed form',
    names: ['variation-ratio-analytic', 'variation-ratio-analytic-repaired', 'variation-ratio-asymptotic'],
  },
  {
    title: 'First analyses of single mechanisms',
    names: ['cheu-zhilyaev-original', 'balls-into-bins-original', 'vector-rr-theorem-1'],
  },
];

/** Bounds beside each other in a table of those that are in no family. */
const MOST_COLUMNS = 4;

/** Mechanisms as rows, a table for each family of bounds; only what has a value at an example. */
function valueTables(accounts: readonly Account[], surveys: readonly BoundSurvey[]): string[] {
  const ofExamples = accounts.flatMap(({ bounds }) => bounds.filter(({ value }) => value !== null));
  const valued = surveys
    .map(({ name }) => name)
    .filter((wanted) => ofExamples.some(({ name }) => name === wanted));
  const others = valued.filter((name) => !FAMILIES.some(({ names }) => names.includes(name)));
  const rest = Array.from({ length: Math.ceil(others.length / MOST_COLUMNS) }, (_, i) => ({
    title: 'Others',
    names: others.slice(i * MOST_COLUMNS, (i + 1) * MOST_COLUMNS),
  }));
  return [...FAMILIES, ...rest]
    .map(({ title, names }) => ({ title, names: names.filter((name) => valued.includes(name)) }))
    .filter(({ names }) => names.length > 0)
    .flatMap(({ title, names }) => [`### ${title}`, valueTable(accounts, names)]);
}

function valueTable(accounts: readonly Account[], names: readonly string[]): string {
  const rows = accounts
    .map(({ mechanism, bounds }) => [
      `\`${mechanism}\``,
      ...names.map((name) => valueCell(bounds.find((bound) => bound.name === name))),
    ])
    .filter(([, ...values]) => values.some((value) => value !== '-'));
  return markdownTable(['mechanism', ...names.map((name) => `\`${name}\``)], rows);
}

function valueCell(bound: AccountedBound | undefined): string {
  const value = digitsOfEnd(bound?.value, bound?.direction ?? 'upper');
  if (!bound || bound.value === null || bound.sound === true) return value;
  return bound.verdict === 'refuted' ? `(${value}!)` : `(${value})`;
}

function boundSection({ name, shown }: BoundSurvey): string {
  const conditions = new Set(
    shown.flatMap(({ bound }) => bound.conditions.map(({ statement }) => statement)),
  );
  const verdicts = byVerdict(shown);
  return [
    `### \`${name}\``,
    `Side: ${sidesOf(shown)}. Source: ${shown[0]!.bound.source}.`,
    BOUND_STATEMENTS[name]!.replace(/`$/u, '`.'),
    'Conditions:',
    [...conditions].map((statement) => `- \`${statement}\``).join('\n'),
    ...verdicts.map(([sound, own]) => verdictLine(sound, own, verdicts.length > 1)),
  ].join('\n\n');
}

function verdictLine(sound: `${Soundness}`, own: BoundSurvey['shown'], named: boolean): string {
  const mechanisms = own.map(({ mechanism }) => `\`${mechanism}\``).join(', ');
  // Where a bound has no value its reason is the condition that fails, not the verdict's.
  const reason = sound === 'true' ? undefined : own.find(({ bound }) => bound.value !== null)?.bound.reason;
  const because = reason === undefined ? '' : `: ${reason}`;
  const counterexample = own.find(({ bound }) => bound.counterexample !== undefined)?.bound.counterexample;
  const where = counterexample === undefined ? '' : `\n\n${counterexampleLine(counterexample)}`;
  return `In general${named ? `, for ${mechanisms}` : ''}: ${GENERAL_WORDS[sound]}${because}.${where}`;
}

function counterexampleLine({ command, stated, atLeast }: Counterexample): string {
  return `Counterexample: \`shuffle-dp ${command}\`: it states ${stated}, a data set has at least ${atLeast}.`;
}
