/** The first sentences of a report: who has the least error, by how much, and what is not proved of it. */
import { settingWords, targetWords, threatWords } from '../results/cell-setting.ts';
import { chosenCells, compareCells, type ComparedCell, type ComparisonGroup } from '../results/comparison.ts';
import { isAtCertifiedPrivacy } from '../results/equal-privacy.ts';
import { errorWords } from '../results/error-words.ts';
import { worstEpsilon, type CellResult, type RunResult } from '../results/run-result.ts';
import { groupPrivacy, worstVerdict } from '../results/stated-privacy.ts';
import { shortNumber } from '../words/short-number.ts';

/** Comparisons that the headline speaks of; the table has all. */
const MOST_COMPARISONS = 4;

/** What the run found, for each number of users, each target and each accounting. */
export function headline(run: RunResult): string[] {
  const groups = compareCells(run).sort((a, b) => b.users - a.users);
  return groups.slice(0, MOST_COMPARISONS).map((group) => headlineSentence(group, run));
}

function headlineSentence(group: ComparisonGroup, run: RunResult): string {
  const { best, users } = group;
  const rivals = chosenCells(group).filter(({ cell }) => cell !== best);
  const second = rivals.reduce<ComparedCell | null>(
    (least, rival) => (least === null || rival.cell.error.mean < least.cell.error.mean ? rival : least),
    null,
  );
  const targets = targetWords(best);
  const facing = threatWords(best);
  const calibrated = isAtCertifiedPrivacy(best) ? ' and equal certified privacy' : '';
  const where = `At ${users.toLocaleString('en')} users${targets.map((words) => ` and ${words}`).join('')}${calibrated}${facing.length === 0 ? '' : `, of whom ${facing.join(' and ')},`}`;
  const { mean, interval } = best.error;
  const apart = second?.separated === false ? ', which these trials do not tell apart' : '';
  const { lower, upper } = second?.ratioInterval ?? { lower: 1, upper: Infinity };
  const ratio = second
    ? `; the next, ${second.cell.protocol}, has ${second.ratioToBest.toFixed(2)} times that (95 % interval ${shortNumber(lower)} to ${shortNumber(upper)}, all comparisons counted)${apart}`
    : '';
  return `${where} the least ${errorWords(run).name} is ${shortNumber(mean)} (95 % interval ${shortNumber(interval.lower)} to ${shortNumber(interval.upper)}), by ${best.protocol}${settingWords(best, { target: false })}${ratio}.${caveat(best)}`;
}

/** Where the best protocol states more privacy than is proved, or nothing is. */
function caveat(best: CellResult): string {
  if (worstEpsilon(best.certified).upper === Infinity)
    return ' No epsilon is proved for this protocol at its delta; see below.';
  const verdict = worstVerdict(groupPrivacy(best));
  const word = verdict === 'unproven' ? 'not proved' : verdict;
  return verdict === 'certified'
    ? ''
    : ` The privacy that this protocol states is ${word} for some users; see below.`;
}
