/**
 * What changes between a comparison as published and the same at equal certified privacy, in one sentence.
 */
import { counted } from '../words/counted.ts';
import { shortNumber } from '../words/short-number.ts';
import { settingOf, targetWords, threatWords } from './cell-setting.ts';
import { chosenCells, compareCells, type ComparisonGroup } from './comparison.ts';
import { isAtCertifiedPrivacy, turnedIntoOthers, whyNotRanked } from './equal-privacy.ts';
import type { RunResult } from './run-result.ts';

/** One for each comparison that a run has both ways, and for each protocol that is another one then. */
export function accountingChanges(run: RunResult): string[] {
  const groups = compareCells(run);
  const changes = groups
    .filter(({ best }) => !isAtCertifiedPrivacy(best))
    .flatMap((published) => {
      const certified = groups.find(
        ({ best }) => isAtCertifiedPrivacy(best) && settingOf(best) === settingOf(published.best),
      );
      return certified ? [sentence(published, certified, run)] : [];
    });
  return [...changes, ...turnedIntoOthers(run).map(turnedSentence)];
}

function turnedSentence(name: string): string {
  return `At equal certified privacy ${name} is the same as another protocol of the config: its accounting, coin-flip blankets and their slots are replaced.`;
}

function sentence(published: ComparisonGroup, certified: ComparisonGroup, run: RunResult): string {
  const [before, after] = [published.best, certified.best];
  const short = chosenCells(published).filter(({ cell }) => whyNotRanked(cell, run.config.privacy) !== null);
  const unmet = `As published ${short.length === 0 ? 'all' : `${counted(short.length, 'protocol')} of ${chosenCells(published).length} ${short.length === 1 ? 'is' : 'are'} not proved to`} meet what every group asked for`;
  const facing = threatWords(before);
  const at = [`${before.users.toLocaleString('en')} users`, ...targetWords(before)].join(' and ');
  const where = `At ${at}${facing.length === 0 ? '' : `, of whom ${facing.join(' and ')}`}`;
  const [was, is] = [before, after].map(({ error }) => shortNumber(error.mean, 3));
  const apart = (group: ComparisonGroup): string => {
    const near = chosenCells(group).filter(({ cell, separated }) => cell !== group.best && !separated);
    return near.length === 0
      ? ''
      : `, not told apart from ${near.map(({ cell }) => cell.protocol).join(', ')}`;
  };
  const change =
    before.series === after.series
      ? `${after.protocol} errs least both ways, by ${was} as published${apart(published)} and by ${is} at equal certified privacy${apart(certified)}`
      : `${before.protocol} errs least as published (${was}${apart(published)}), and ${after.protocol} at equal certified privacy (${is}${apart(certified)})`;
  return `${where}: ${change}. ${unmet}.`;
}
