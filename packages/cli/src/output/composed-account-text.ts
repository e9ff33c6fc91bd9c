/** A composition as text and as JSON. */
import { picked } from '@shuffle-dp/core';
import {
  type ComposedAccount,
  VERDICT_COLUMNS,
  VERDICT_LEGEND,
  verdictCells,
} from '@shuffle-dp/experiments/account';
import { counted } from '@shuffle-dp/experiments/words';
import { threatsText } from '../options/threat-options.ts';
import { finiteOrWord } from './account-json.ts';
import { targetNotes } from './target-notes.ts';
import { shortEnd, shortEnds, shortNumber, textTable } from './text-table.ts';

const DIGITS = 6;

/** JSON has no infinity: null stands for it. What is undefined is left out. */
export function composedJson(account: ComposedAccount): object {
  const { target, baselines } = account;
  const asked = 'delta' in target ? 'epsilon' : 'delta';
  return {
    schedule: account.schedule.map(({ parameters, ...rest }) => ({
      ...rest,
      parameters: finiteOrWord(parameters),
    })),
    ...picked(account, 'rounds', 'threats'),
    adjacency: 'replace-one',
    ...target,
    [asked]: account.bracket,
    ...picked(account, 'upperBy', 'sound', 'reason', 'coarse'),
    ...(baselines && {
      baselines,
      bounds: account.bounds.map(({ value, reason, ...rest }) => ({ ...rest, epsilon: value, reason })),
    }),
  };
}

const TITLES: Readonly<Record<string, string>> = {
  basic: 'basic composition',
  advanced: 'advanced composition',
  renyi: 'Renyi composition',
  'local-message': 'messages alone',
};

/** The bounds that may give the upper end. */
const DECIDED_BY: Readonly<Record<string, string>> = {
  blanket: 'the blanket',
  sharp: 'the sharp bound',
  'popular-input': 'the pigeonhole bound',
  'two-messages': 'all data of two messages',
  basic: 'basic composition',
  advanced: 'advanced composition',
  'local-message': 'the messages of one user alone',
};

export function composedText(account: ComposedAccount): string {
  const { rounds, target, bracket, upperBy, sound, reason, baselines, bounds } = account;

  const asked = 'delta' in target ? 'epsilon' : 'delta';
  const decided = upperBy === null ? undefined : DECIDED_BY[upperBy];
  const proved = sound === true ? 'proved' : `${reason}`;
  const fewestUsers = Math.min(...account.schedule.map(({ users }) => users));
  const lines = [
    ...(account.threats ? [threatsText(account.threats)] : []),
    `${counted(rounds, 'round')}: ${asked} between ${shortEnds(bracket, DIGITS)} (${proved})`,
    ...(sound === true && decided !== undefined ? [`upper end by ${decided}`] : []),
    ...targetNotes(target, fewestUsers, bracket),
    ...(account.coarse ?? []),
  ];
  if (baselines) {
    const rows = bounds
      .filter(({ value }) => value !== null)
      .map((bound) => [
        TITLES[bound.name]!,
        bound.direction,
        shortEnd(bound.value!, bound.direction, DIGITS),
        ...verdictCells(bound),
      ]);
    if (baselines.gaussianLimit !== null) {
      rows.push(['Gaussian limit', 'neither', shortNumber(baselines.gaussianLimit, DIGITS), 'no bound', '-']);
    }
    lines.push(
      '',
      textTable(['for comparison', 'side', asked, ...VERDICT_COLUMNS], rows),
      '',
      VERDICT_LEGEND,
    );
  }
  return lines.join('\n');
}
