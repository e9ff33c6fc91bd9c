/** An account for a terminal. */
import type { Account, AccountedBound } from '../account/account.ts';
import { shortNumber, textTable } from './text-table.ts';

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
  const lines = [
    `${account.mechanism} (${parameters.join(', ')}), ${account.users} users, ${given}, replace-one`,
    `${asked} between ${shortNumber(bracket.lower, DIGITS)} and ${shortNumber(bracket.upper, DIGITS)} (${subject})`,
    ...(account.sound === true
      ? []
      : [`the pair is ${verdictText(account.sound)} to dominate: ${account.reason ?? 'not known'}`]),
    '',
    textTable(
      ['bound', 'side', asked, 'sound', 'source'],
      bounds.map((bound) => [
        bound.name,
        bound.direction,
        bound.value === null ? '-' : shortNumber(bound.value, DIGITS),
        String(bound.sound),
        bound.source,
      ]),
    ),
    ...reasons(bounds),
    ...(explain ? conditions(bounds) : []),
    ...(cite ? ['', ...new Set(bounds.flatMap(({ bibtex }) => (bibtex === undefined ? [] : [bibtex])))] : []),
  ];
  return lines.join('\n');
}

function verdictText(sound: Account['sound']): string {
  return sound === false ? 'known not' : 'not known';
}

function reasons(bounds: readonly AccountedBound[]): string[] {
  const lines = bounds
    .filter(({ reason }) => reason !== undefined)
    .map(({ name, reason }) => `  ${name}: ${reason}`);
  return lines.length === 0 ? [] : ['', ...lines];
}

function conditions(bounds: readonly AccountedBound[]): string[] {
  return bounds
    .filter((bound) => bound.conditions.length > 0)
    .flatMap((bound) => [
      '',
      `${bound.name} (${bound.source})`,
      ...bound.conditions.map(
        ({ statement, given, holds }) => `  ${holds ? '✓' : '✗'} ${statement}: ${given}`,
      ),
    ]);
}
