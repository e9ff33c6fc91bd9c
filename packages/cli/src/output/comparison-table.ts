/** The comparison of a run as text. */
import type { Interval } from '@shuffle-dp/core';
import { apartFromEnds, counted, lowerEndAlone } from '@shuffle-dp/experiments/words';
import {
  ACCOUNTING_COLUMN,
  accountingChanges,
  type CellResult,
  chosenCells,
  comparedByNobody,
  compareCells,
  type ComparedCell,
  type ComparisonGroup,
  errorWords,
  theoryRemark,
  type ExcludedCell,
  groupPrivacy,
  isAtCertifiedPrivacy,
  isOwnParameter,
  moreThanAsked,
  type NamedCell,
  paddingBiasWords,
  type RunResult,
  shortfalls,
  targetWords,
  threatWords,
  worstEpsilon,
  worstVerdict,
} from '@shuffle-dp/experiments/results';
import { largeDeltaLines } from './target-notes.ts';
import { shortEnd, shortEnds, shortNumber, textTable } from './text-table.ts';

/** @param everyCell all values of a sweep, not only the best of each protocol */
export function comparisonText(run: RunResult, everyCell: boolean): string {
  const groups = compareCells(run, { everySetting: everyCell });
  const parts = groups.map((group) => groupText(group, run, everyCell));
  const { name, definition } = errorWords(run);
  return [
    ...parts,
    ...comparedByNobody(run).map((out) => notRanked(out, run, whereText(out.cell))),
    ...accountingChanges(run),
    ...(run.config.privacy.accounting === undefined ? [] : [EQUAL_PRIVACY_WORDS]),
    `${name}: ${definition} against ${run.truth}; mean of ${counted(run.config.trials, 'trial')}.`,
    ...paddingBiasWords(run),
    ...(run.measure === 'heavy-hitters' ? [QUALITY_WORDS] : []),
    'ratio: an error divided by the least error of its table. Its 95 % intervals hold for all rows of a table at once. They treat rows as independent: rows share data sets, but not noise. Not separated: the interval contains 1.',
    `epsilon: central, ${run.adjacency}. Certified: the proved bracket of the least protected users. As stated: the epsilons of all groups by the protocol's own accounting, with the verdict on these numbers: certified, unproven or refuted. Lines with ! show where a protocol states more privacy than is proved. Errors are compared whatever is proved.`,
    ...(run.config.protocols.some(({ kind }) => kind === 'own-randomizer') ? [OWN_WORDS] : []),
    ...choiceLines(groups, run, everyCell),
  ].join('\n');
}

const EQUAL_PRIVACY_WORDS =
  'Equal certified privacy: protocols are calibrated so that the certified epsilon of each group meets its target. Only protocols that do so are ranked. Lines with + name groups with more privacy than they asked for, lines with - name protocols that are not ranked.';

const OWN_WORDS =
  'Own randomizers: proofs for them rest on the masses that their modules state. Draws are tested against these masses, but the tests do not find every fault (docs/own-randomizers.md).';

const QUALITY_WORDS =
  'precision: share of the found identifiers that are among the most frequent; recall: share of the most frequent that is found; rank: recall with weights k, k - 1, …, 1 (normalised cumulative rank).';

/** How the values shown of sweeps were chosen. */
function choiceLines(groups: readonly ComparisonGroup[], run: RunResult, everyCell: boolean): string[] {
  const swept = run.sweptParameters.filter(isOwnParameter).join(', ');
  const chosenBy = new Set(groups.flatMap(({ cells }) => cells.map((cell) => cell.chosenBy)));
  if (everyCell)
    return chosenBy.has('theory') || chosenBy.has('trials of their own')
      ? [`Every value of a sweep (${swept}) is a row of the comparison, and the intervals count them all.`]
      : [];
  return [
    ...(chosenBy.has('theory')
      ? [
          `For a sweep (${swept}) the table shows the value with the least theory, whatever was measured; --all shows every value.`,
        ]
      : []),
    ...(chosenBy.has('trials of their own')
      ? [
          `For a sweep (${swept}) without theory of every value the table shows the one that was best in as many separate trials, none of which is reported; --all shows every value.`,
        ]
      : []),
  ];
}

function groupText(group: ComparisonGroup, run: RunResult, everyCell: boolean): string {
  const { best } = group;
  const sorted = [...shownCells(group, everyCell)].sort((a, b) => a.cell.error.mean - b.cell.error.mean);
  const title = [
    counted(best.users, 'user'),
    ...(best.domain > 1 ? [`domain ${best.domain}`] : []),
    ...(best.items > 1 ? [`${best.items} items a user`] : []),
    ...targetWords(best),
    best.levelDeltas
      ? `deltas of levels ${best.levelDeltas.map((delta) => Number(delta.toPrecision(4))).join(' ')}`
      : `delta ${Number(best.delta.toPrecision(4))}`,
    ...accountingWords(best),
    ...threatWords(best),
    best.dataset,
  ].join(', ');
  const large = best.levelDeltas ? [] : largeDeltaLines(best.delta, best.users);
  return `${[title, ...large].join('\n')}\n${textTable(
    [
      'protocol',
      errorWords(run).name,
      '95 % interval',
      `theory${theoryRemark(run)}`,
      'ratio, 95 % interval',
      ...(run.measure === 'heavy-hitters' ? ['precision', 'recall', 'rank'] : []),
      'messages',
      'bits',
      'epsilon, certified',
      'as stated',
    ],
    sorted.map((compared) => row(compared, run)),
  )}\n${[...shortfallLines(group, run, everyCell), ...equalPrivacyLines(group, run, everyCell)]
    .map((line) => `${line}\n`)
    .join('')}`;
}

/** Of runs that say what calibrates their protocols. */
function accountingWords(best: CellResult): string[] {
  if (isAtCertifiedPrivacy(best)) return ['equal certified privacy'];
  return best.sweep[ACCOUNTING_COLUMN] === undefined ? [] : ['as published'];
}

/** Who is not ranked at equal certified privacy, and who has more than was asked for. */
function equalPrivacyLines(group: ComparisonGroup, run: RunResult, everyCell: boolean): string[] {
  if (!isAtCertifiedPrivacy(group.best)) return [];
  return [
    ...shownCells(group, everyCell).flatMap(({ cell }) => {
      const more = moreThanAsked(cell, run.config.privacy);
      return more.length === 0 ? [] : [`+ ${cellName(cell, run)}: ${more.join('; ')}`];
    }),
    ...group.excluded.map((out) => notRanked(out, run)),
  ];
}

/** @param where what no table above the line says */
function notRanked({ cell, why }: ExcludedCell, run: RunResult, where = ''): string {
  return `- ${cellName(cell, run)}${where} is not ranked: ${why}`;
}

/** ' at 50 users, central epsilon 0.1' */
function whereText(cell: NamedCell): string {
  return ` at ${[counted(cell.users, 'user'), ...targetWords(cell), ...threatWords(cell)].join(', ')}`;
}

function shownCells(group: ComparisonGroup, everyCell: boolean): readonly ComparedCell[] {
  return everyCell ? group.cells : chosenCells(group);
}

function row(compared: ComparedCell, run: RunResult): string[] {
  const { cell } = compared;
  const { mean, interval, theory } = cell.error;
  const certified = worstEpsilon(cell.certified);
  return [
    cellName(cell, run),
    shortNumber(mean),
    intervalText(interval),
    theory === null ? '-' : shortNumber(theory),
    ratioText(compared),
    ...qualityText(cell),
    shortNumber(cell.messagesPerUser, 3),
    shortNumber(cell.bitsPerUser, 3),
    certified.upper === Infinity ? lowerEndAlone(certified.lower) : shortEnds(certified, 4, ' … '),
    statedText(cell),
  ];
}

/** Of lists of the most frequent: precision, recall and normalised cumulative rank. */
function qualityText({ quality }: CellResult): string[] {
  if (quality === undefined) return [];
  const { precision, recall, cumulativeRank } = quality;
  return [precision, recall, cumulativeRank].map((share) => share.toFixed(3));
}

/** '2.28, 1.85 … 2.81'; for the best one how far it may be from the least, where it may be. */
function ratioText({ ratioToBest, ratioInterval, separated }: ComparedCell): string {
  if (ratioInterval === null) return shortNumber(ratioToBest, 3);
  const interval = intervalText(ratioInterval);
  if (ratioToBest === 1) return ratioInterval.upper > 1 ? `best, ${interval}` : 'best';
  return `${shortNumber(ratioToBest, 3)}, ${interval}${separated ? '' : ' (not separated)'}`;
}

function intervalText({ lower, upper }: Interval): string {
  return `${shortNumber(lower, 3)} … ${shortNumber(upper, 3)}`;
}

/**
 * '0.5 … 2, certified': of the groups, by the protocol's own accounting, with the verdict on the worst of
 * these statements.
 */
function statedText(cell: CellResult): string {
  const groups = groupPrivacy(cell);
  const ends = groups.map(({ stated }) => stated);
  if (Math.min(...ends) === Infinity) return 'nothing';
  const [least, most] = [Math.min(...ends), Math.max(...ends)].map((end) => shortEnd(end, 'upper'));
  return `${least === most ? most : `${least} … ${most}`}, ${worstVerdict(groups)}`;
}

/**
 * Where a protocol states more privacy for a group than is proved: what is proved, or what a data set shows.
 */
function shortfallLines(group: ComparisonGroup, run: RunResult, everyCell: boolean): string[] {
  return shownCells(group, everyCell).flatMap(({ cell }) => {
    const parts = shortfalls(groupPrivacy(cell)).map(({ group: users, stated, verdict, certified }) => {
      const [claim, least, most] = apartFromEnds(stated, certified);
      const known = verdict === 'refuted' ? `${verdict}: at least ${least}` : verdict;
      return `${users}: stated ${claim} (${known}), certified ${most}`;
    });
    return parts.length === 0 ? [] : [`! ${cellName(cell, run)}: ${parts.join('; ')}`];
  });
}

/** The protocol with its swept values: 'Segmented (blanketRate 2)'. */
export function cellName(cell: Pick<NamedCell, 'protocol' | 'sweep'>, run: RunResult): string {
  const values = run.sweptParameters
    .filter((name) => name in cell.sweep && isOwnParameter(name))
    .map((name) => `${name} ${cell.sweep[name]}`);
  return values.length === 0 ? cell.protocol : `${cell.protocol} (${values.join(', ')})`;
}
