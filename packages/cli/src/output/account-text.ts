/** An account for a terminal. */
import { groupBy } from '@shuffle-dp/core';
import { counted } from '@shuffle-dp/experiments/words';
import {
  type Account,
  accountCitations,
  type AccountedBound,
  counterexampleText,
  GENERAL_WORDS,
  HERE_WORDS,
  VERDICT_COLUMNS,
  VERDICT_LEGEND,
  verdictCells,
} from '@shuffle-dp/experiments/account';
import { threatsText } from '../options/threat-options.ts';
import { targetNotes } from './target-notes.ts';
import { shortEnd, shortEnds, textTable } from './text-table.ts';

const DIGITS = 6;

export function accountText(
  account: Account,
  { explain, cite }: { readonly explain: boolean; readonly cite: boolean },
): string {
  const { target, bracket, bounds } = account;
  const asked = 'delta' in target ? 'epsilon' : 'delta';
  const given = 'delta' in target ? `delta ${target.delta}` : `epsilon ${target.epsilon}`;
  const parameters = Object.entries(account.parameters).map(([name, value]) => `${name} ${value}`);
  const subject = account.mechanism === 'variation-ratio' ? 'divergence of the pair itself' : 'proved';
  const telling = bounds.filter(hasValue);
  const lines = [
    `${account.mechanism} (${parameters.join(', ')}), ${counted(account.users, 'user')}, ${given}, replace-one`,
    ...(account.threats ? [threatsText(account.threats)] : []),
    `${asked} between ${shortEnds(bracket, DIGITS)} (${subject})`,
    ...worstLine(bounds),
    ...targetNotes(target, account.users, bracket),
    ...(account.coarse ?? []),
    ...(account.sound === true
      ? []
      : [`the pair is ${verdictText(account.sound)} to dominate: ${account.reason ?? 'not known'}`]),
    '',
    textTable(
      ['bound', 'side', asked, ...VERDICT_COLUMNS, 'source'],
      telling.map((bound) => [
        bound.name,
        bound.direction,
        shortEnd(bound.value, bound.direction, DIGITS),
        ...verdictCells(bound),
        bound.source,
      ]),
    ),
    '',
    VERDICT_LEGEND,
    ...(explain ? explanations(bounds) : reasons(bounds)),
    ...(cite ? ['', ...accountCitations(account).map(({ bibtex }) => bibtex)] : []),
  ];
  return lines.join('\n');
}

function verdictText(sound: Account['sound']): string {
  return sound === false ? 'known not' : 'not known';
}

function worstLine(bounds: readonly AccountedBound[]): string[] {
  const [largest] = bounds.filter(({ worst }) => worst !== undefined).toSorted((a, b) => b.value! - a.value!);
  return largest ? [`worst data set known: ${largest.worst}`] : [];
}

type WithValue = AccountedBound & { readonly value: number };

function hasValue(bound: AccountedBound): bound is WithValue {
  return bound.value !== null;
}

/** Notes on the values above, and below them the bounds that have none here. */
function reasons(bounds: readonly AccountedBound[]): string[] {
  const notes = byReason(bounds.filter(hasValue));
  const silent = byReason(bounds.filter((bound) => !hasValue(bound)));
  return [
    ...(notes.length === 0 ? [] : ['', ...notes]),
    ...(silent.length === 0 ? [] : ['', 'Bounds that do not apply here:', ...silent]),
  ];
}

/** A line for each reason. */
export function byReason(bounds: readonly Pick<AccountedBound, 'name' | 'reason'>[]): string[] {
  const known = bounds.filter(({ reason }) => reason !== undefined);
  return [...groupBy(known, ({ reason }) => reason!)].map(
    ([reason, group]) => `  ${group.map(({ name }) => name).join(', ')}: ${reason}`,
  );
}

/** Every bound with what it asks for, met or not, its verdicts, and where it fails if it does. */
function explanations(bounds: readonly AccountedBound[]): string[] {
  return bounds.flatMap((bound) => [
    '',
    `${bound.name} (${bound.source})`,
    ...bound.conditions.map(({ statement, given, holds }) => `  ${holds ? '✓' : '✗'} ${statement}: ${given}`),
    `  ${conclusion(bound)}`,
    ...(bound.counterexample === undefined
      ? []
      : [`  counterexample: ${counterexampleText(bound.counterexample)}`]),
  ]);
}

function conclusion({ value, direction, sound, verdict, reason }: AccountedBound): string {
  const because = reason === undefined ? '' : `: ${reason}`;
  if (value === null) return `says nothing here${because}`;
  const here = verdict === null ? '' : `, ${HERE_WORDS[verdict]}`;
  return `gives ${shortEnd(value, direction, DIGITS)}${here}; ${GENERAL_WORDS[`${sound}`]} in general${because}`;
}
