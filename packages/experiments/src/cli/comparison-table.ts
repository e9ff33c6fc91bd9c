/** The comparison of a run, as text and as JSON. */
import { counted } from '../config/counted.ts';
import { MEASURE_WORDS } from '../results/measure-words.ts';
import type { CellResult, RunResult } from '../results/run-result.ts';
import { worstEpsilon } from '../results/run-result.ts';
import {
  bestOfEachSeries,
  compareCells,
  type ComparedCell,
  type ComparisonGroup,
} from '../results/comparison.ts';
import { groupPrivacy, shortfalls, worstVerdict } from '../results/stated-privacy.ts';
import { shortNumber, textTable } from './text-table.ts';

const COLUMNS = [
  'protocol',
  'mse',
  '95 % interval',
  'theory',
  'ratio',
  'messages',
  'bits',
  'epsilon, certified',
  'as stated',
];

/** @param everyCell all values of a sweep, not only the best of each protocol */
export function comparisonText(run: RunResult, everyCell: boolean): string {
  const parts = compareCells(run).map((group) => groupText(group, run, everyCell));
  const swept = run.cells.length > parts.length * run.config.protocols.length && !everyCell;
  return [
    ...parts,
    `mse: ${MEASURE_WORDS[run.measure].definition} against ${run.truth}; mean of ${counted(run.config.trials, 'trial')}.`,
    'ratio: to the least mse; "not separated" where the 95 % interval of the paired difference to it covers 0.',
    `epsilon: central, ${run.adjacency}. Certified: of the least protected users, proved from both sides. As stated: of all groups, by the protocol's own accounting, with the verdict on these numbers: certified, unproven or refuted. Lines with ! say where more is stated than proved. The least mse is looked for whatever is proved.`,
    ...(swept
      ? [
          `Of each protocol's sweep (${run.sweptParameters.join(', ')}) the least mse is shown; --all shows every value.`,
        ]
      : []),
  ].join('\n');
}

function groupText(group: ComparisonGroup, run: RunResult, everyCell: boolean): string {
  const { best } = group;
  const sorted = [...shownCells(group, everyCell)].sort((a, b) => a.cell.mse - b.cell.mse);
  const target = best.sweep['targetEpsilon'];
  const title = [
    counted(best.users, 'user'),
    `domain ${best.domain}`,
    ...(best.items > 1 ? [`${best.items} items a user`] : []),
    ...(target === undefined ? [] : [`central epsilon ${target}`]),
    `delta ${Number(best.delta.toPrecision(4))}`,
    best.dataset,
  ].join(', ');
  return `${title}\n${textTable(
    COLUMNS,
    sorted.map((compared) => row(compared, run)),
  )}\n${shortfallLines(group, run, everyCell)
    .map((line) => `${line}\n`)
    .join('')}`;
}

function shownCells(group: ComparisonGroup, everyCell: boolean): readonly ComparedCell[] {
  return everyCell ? group.cells : bestOfEachSeries(group);
}

function row({ cell, ratioToBest, separated }: ComparedCell, run: RunResult): string[] {
  const { lower, upper } = cell.mseInterval;
  const certified = worstEpsilon(cell.certified);
  return [
    cellName(cell, run),
    shortNumber(cell.mse),
    `${shortNumber(lower, 3)} … ${shortNumber(upper, 3)}`,
    cell.mseTheory === null ? '-' : shortNumber(cell.mseTheory),
    ratioToBest === 1 ? 'best' : `${shortNumber(ratioToBest, 3)}${separated ? '' : ' (not separated)'}`,
    shortNumber(cell.messagesPerUser, 3),
    shortNumber(cell.bitsPerUser, 3),
    `${shortNumber(certified.lower)} … ${shortNumber(certified.upper)}`,
    statedText(cell),
  ];
}

/** '0.5 … 2, certified': of the groups, by the protocol's own accounting, with the verdict on the worst of these statements. */
function statedText(cell: CellResult): string {
  const groups = groupPrivacy(cell);
  const ends = groups.map(({ stated }) => stated);
  const [least, most] = [Math.min(...ends), Math.max(...ends)].map((end) => shortNumber(end));
  return `${least === most ? most : `${least} … ${most}`}, ${worstVerdict(groups)}`;
}

/** Where a protocol states more privacy for a group than is proved: what is proved, or what a data set shows. */
function shortfallLines(group: ComparisonGroup, run: RunResult, everyCell: boolean): string[] {
  return shownCells(group, everyCell).flatMap(({ cell }) => {
    const parts = shortfalls(groupPrivacy(cell)).map(
      ({ group: users, stated, verdict, certified }) =>
        `${users} is stated ${shortNumber(stated)} (${verdict}${verdict === 'refuted' ? `: at least ${shortNumber(certified.lower)}` : ''}), certified ${shortNumber(certified.upper)}`,
    );
    return parts.length === 0 ? [] : [`! ${cellName(cell, run)}: ${parts.join('; ')}`];
  });
}

/** The protocol with its swept values: 'Segmented (blanketRate 2)'. */
export function cellName(cell: CellResult, run: RunResult): string {
  const values = run.sweptParameters
    .filter((name) => name in cell.sweep && name !== 'targetEpsilon')
    .map((name) => `${name} ${cell.sweep[name]}`);
  return values.length === 0 ? cell.protocol : `${cell.protocol} (${values.join(', ')})`;
}

export function comparisonJson(run: RunResult, out: string): object {
  const rows = compareCells(run).flatMap((group) =>
    group.cells.map(({ cell, ratioToBest, separated, differenceToBest }) => {
      const certified = worstEpsilon(cell.certified);
      const stated = worstEpsilon(cell.stated);
      return {
        cell: cell.cell,
        protocol: cell.protocol,
        kind: cell.kind,
        parameters: cell.sweep,
        dataset: cell.dataset,
        users: cell.users,
        trials: cell.trials,
        mse: cell.mse,
        mse_ci: [cell.mseInterval.lower, cell.mseInterval.upper],
        mse_theory: cell.mseTheory,
        mse_bound: cell.mseBound,
        ratio_to_best: ratioToBest,
        separated_from_best: separated,
        difference_to_best_ci: [differenceToBest.lower, differenceToBest.upper],
        messages_per_user: cell.messagesPerUser,
        bits_per_user: cell.bitsPerUser,
        epsilon_central: {
          lower: certified.lower,
          upper: certified.upper,
          accountant: certified.statement.accountant,
        },
        epsilon_stated: {
          upper: stated.upper,
          accountant: stated.statement.accountant,
          status: stated.statement.status,
          sound: stated.statement.sound,
          verdict: worstVerdict(groupPrivacy(cell)),
        },
        groups: groupPrivacy(cell),
        delta: cell.delta,
      };
    }),
  );
  return { name: run.config.name, out, adjacency: run.adjacency, measure: run.measure, rows };
}
