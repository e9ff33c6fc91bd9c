/**
 * Cells by their identity: the hash of all that determines their outcome, and the names of their random
 * streams.
 */
import { groupBy, type SimulationPath } from '@shuffle-dp/core';
import type { ExperimentConfig } from '../config/schema.ts';
import { holdingOf, isSetData } from '../data/data-sets.ts';
import type { PlaceGrid } from '../data/sources/place-source.ts';
import type { NumberRange } from '../data/sources/number-source.ts';
import type { Cell } from '../kinds/cell.ts';
import type { DataCell } from '../kinds/data-cell.ts';
import { canonicalHash } from '../run-folder/canonical-json.ts';

/**
 * Raised when the same cell is to be drawn otherwise than before, so that old journals are not mixed with new
 * results: for those kinds and randomizers alone whose counts are drawn otherwise on the aggregated path.
 */
const CELL_FORMAT = 1;
const AGGREGATED_FORMAT: Readonly<Record<string, number>> = {
  'subexp-local': 3,
  'subexp-shuffled': 3,
  'frequency subset': 2,
  'frequency local-hash': 2,
  'balls-into-bins-histogram': 2,
};

function cellFormat(spec: Cell['spec'], simulation: SimulationPath): number {
  if (simulation === 'messages') return CELL_FORMAT;
  const randomizer = spec.kind === 'frequency' ? ` ${spec.randomizer}` : '';
  return AGGREGATED_FORMAT[spec.kind + randomizer] ?? CELL_FORMAT;
}

/** What is known of the data source without drawing from it. */
export interface SourceFacts {
  /** Quantities that are estimated. */
  readonly domain: number;
  /** Of sets and of key-value pairs. */
  readonly items?: number;
  /** Of key-value pairs: keys that were not added, where some were. */
  readonly keys?: number;
  /** Of identifiers. */
  readonly bits?: number;
  /** Of numbers and of values. */
  readonly range?: NumberRange;
  /** Of places. */
  readonly grid?: PlaceGrid;
  /** Users in the file; null for a generator. */
  readonly available: number | null;
  /**
   * So many users with sets, or more, are drawn as counts on the aggregated path: 0 where whole sets are
   * counted. Absent where none are.
   */
  readonly countsFrom?: number;
  readonly file: string | null;
  readonly fileDigest: string | null;
}

/** The first digits of a hash; so many are enough to tell cells apart. */
function shortHash(value: unknown): string {
  return canonicalHash(value).slice(0, 16);
}

/** @param shares fraction of the users at each privacy level; one level where there are none */
export function dataCell(
  config: ExperimentConfig,
  source: SourceFacts,
  users: number,
  shares: readonly number[],
): DataCell {
  const { file, fileDigest } = source;
  // Of identifiers one more each for what may be found and nobody holds.
  const estimated = source.grid && config.measure === 'mean' ? 2 : source.domain;
  const domain = estimated + (source.bits === undefined ? 0 : config.top!);
  const { data, seed, simulation } = config;
  const { countsFrom = Infinity } = source;
  const countsUsers = countsFrom === 0 || (simulation === 'aggregated' && users >= countsFrom);
  const described = {
    config: 'path' in data ? { ...data, path: undefined } : data,
    fileDigest,
    users,
    shares,
    seed,
    // Sets whose law is not listed are drawn user by user on both paths, which meet the same users.
    simulation: isSetData(data) && !countsUsers ? undefined : simulation,
    // Raised when users that are counted are drawn otherwise than before.
    listed: countsUsers ? (countsFrom === 0 && simulation === 'aggregated' ? 2 : 1) : undefined,
  };
  const drawn = { key: shortHash(described), file, fileDigest, users, domain, simulation, seed };
  const holds = holdingOf(data);
  // What a source says beside its domain is of the kind of its config; the compiler cannot follow the
  // pairing.
  const facts =
    holds === 'sets'
      ? { items: source.items, shares }
      : {
          ...(source.bits === undefined ? {} : { bits: source.bits, top: config.top! }),
          ...(source.items === undefined ? {} : { items: source.items }),
          // What is added to pad users has a frequency, and no mean.
          ...(source.keys === undefined || config.measure !== 'means' ? {} : { keys: source.keys }),
          ...(source.grid && { grid: source.grid }),
          ...(source.range === undefined ? {} : { range: source.range }),
        };
  return { holds, ...drawn, config: data, ...facts } as DataCell;
}

/** What a cell is, but for its names. */
export type CellContent = WithoutNames<Cell>;
type WithoutNames<Kind> = Kind extends Cell ? Omit<Kind, 'id' | 'streamLabel'> : never;

export function makeCell(config: ExperimentConfig, content: CellContent): Cell {
  const { spec, data, delta, trials, postprocess, measure, error, threats } = content;
  const drawn = {
    format: cellFormat(spec, data.simulation),
    spec: { ...spec, module: undefined, timeLimit: undefined },
    data: data.key,
    simulation: data.simulation,
    levels: content.holds === 'sets' ? content.levels : null,
    epsilon: content.holds === 'sets' ? null : (content.epsilon ?? null),
    delta,
    deltas: content.holds === 'sets' ? content.deltas : undefined,
    seed: config.seed,
    top: data.holds === 'identifiers' ? data.top : undefined,
    budgets: 'budgets' in content ? content.budgets : undefined,
    // At equal certified privacy parameters are chosen for them.
    calibratedUnder: content.accounting === 'certified' ? threats : undefined,
    // Users who collude send as they would: their number changes no other trial.
    dropout: threats?.dropout,
    poisoning: threats?.poisoning,
  };
  const identity = {
    ...drawn,
    accounting: content.accounting,
    colluding: threats?.colluding,
    trials,
    postprocess,
    measure,
    error,
    keys: data.holds === 'key-values' ? data.keys : undefined,
    adjacency: config.adjacency,
  };
  return { ...content, id: shortHash(identity), streamLabel: shortHash(drawn) };
}

/** Names of the parameter columns, in the order of the config; and those that vary within a protocol. */
export function parameterNames(cells: readonly Cell[]): { readonly all: string[]; readonly swept: string[] } {
  const all = [...new Set(cells.flatMap((cell) => Object.keys(cell.sweep)))];
  const protocols = [...groupBy(cells, ({ series }) => series).values()];
  const valuesOf = (own: readonly Cell[], name: string): unknown[] =>
    own.flatMap(({ sweep }) => (name in sweep ? [sweep[name]] : []));
  const swept = all.filter((name) => protocols.some((own) => new Set(valuesOf(own, name)).size > 1));
  return { all, swept };
}
