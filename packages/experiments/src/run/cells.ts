/** What a run is made of: a cell is one combination of a protocol's values with a number of users. */
import type { SimulationPath } from '@shuffle-dp/core';
import type { FrequencyProtocolSpec, SetProtocolSpec } from '@shuffle-dp/protocols';
import { isSetData, type DataConfig } from '../data/data-sets.ts';
import type { ErrorMeasure, EstimateError, ExperimentConfig, Postprocessing } from '../config/schema.ts';
import { canonicalHash } from '../run-folder/canonical-json.ts';
import type { OwnRandomizerSpec } from '../own-randomizer/own-randomizer.ts';

/**
 * Raised when the same cell is to be drawn otherwise than before, so that old journals are not mixed with new results: for
 * those kinds and randomizers alone whose counts are drawn otherwise on the aggregated path.
 */
const CELL_FORMAT = 1;
const AGGREGATED_FORMAT: Readonly<Record<string, number>> = {
  'subexp-local': 2,
  'subexp-shuffled': 2,
  'frequency subset': 2,
  'frequency local-hash': 2,
  'balls-into-bins-histogram': 2,
};

function cellFormat(spec: Cell['spec'], simulation: SimulationPath): number {
  if (simulation === 'messages') return CELL_FORMAT;
  const randomizer = spec.kind === 'frequency' ? ` ${spec.randomizer}` : '';
  return AGGREGATED_FORMAT[spec.kind + randomizer] ?? CELL_FORMAT;
}

/** The data that several cells share: the same trials see the same users. */
export interface DataCell {
  /** Hash of everything that determines the data but the trial. */
  readonly key: string;
  readonly config: DataConfig;
  /** Resolved path of the file, where there is one; no part of the identity, its digest is. */
  readonly file: string | null;
  readonly fileDigest: string | null;
  readonly users: number;
  readonly domain: number;
  readonly itemsPerUser: number | null;
  readonly shares: readonly number[];
  readonly simulation: SimulationPath;
  readonly seed: string;
}

/** Everything that determines one row of the results. Plain data: it crosses to the workers as it is. */
export interface Cell {
  /** First 16 hexadecimal digits of the identity's hash. */
  readonly id: string;
  /** Names the cell's random streams: the identity without the number of trials, so that more trials extend fewer. */
  readonly streamLabel: string;
  readonly series: number;
  readonly label: string | null;
  readonly spec: SetProtocolSpec | FrequencyProtocolSpec | OwnRandomizerSpec;
  readonly data: DataCell;
  readonly levels: readonly number[] | null;
  /** Central target for categories. */
  readonly epsilon: number | null;
  readonly delta: number;
  readonly trials: number;
  readonly postprocess: Postprocessing;
  /** Absent for 'frequencies', which older journals do not name. */
  readonly measure?: ErrorMeasure;
  /** Absent for 'total-squared'. */
  readonly error?: EstimateError;
  /** One of several settings of its protocol, of which one is chosen: on trials of their own where theory cannot say. */
  readonly oneOfSweep?: true;
  readonly sweep: Readonly<Record<string, number | string>>;
}

/** What is known of the data source without drawing from it. */
export interface SourceFacts {
  readonly domain: number;
  readonly itemsPerUser: number | null;
  readonly available: number | null;
  readonly file: string | null;
  readonly fileDigest: string | null;
}

/** The first digits of a hash; so many are enough to tell cells apart. */
function shortHash(value: unknown): string {
  return canonicalHash(value).slice(0, 16);
}

export function dataCell(
  config: ExperimentConfig,
  source: SourceFacts,
  users: number,
  shares: readonly number[],
): DataCell {
  const { file, ...facts } = source;
  const described = {
    config: 'path' in config.data ? { ...config.data, path: undefined } : config.data,
    fileDigest: facts.fileDigest,
    users,
    shares,
    seed: config.seed,
    // Only generators of categories draw otherwise for the aggregated path.
    simulation: isSetData(config.data) ? undefined : config.simulation,
  };
  return {
    key: shortHash(described),
    config: config.data,
    file,
    fileDigest: facts.fileDigest,
    users,
    domain: facts.domain,
    itemsPerUser: facts.itemsPerUser,
    shares,
    simulation: config.simulation,
    seed: config.seed,
  };
}

/** What a cell is, but for its names. */
export type CellContent = Omit<Cell, 'id' | 'streamLabel'>;

export function makeCell(config: ExperimentConfig, content: CellContent): Cell {
  const { spec, data, levels, epsilon, delta, trials, postprocess, measure, error } = content;
  const drawn = {
    format: cellFormat(spec, data.simulation),
    spec: { ...spec, module: undefined, timeLimit: undefined },
    data: data.key,
    simulation: data.simulation,
    levels,
    epsilon,
    delta,
    seed: config.seed,
  };
  const identity = { ...drawn, trials, postprocess, measure, error, adjacency: config.adjacency };
  return { ...content, id: shortHash(identity), streamLabel: shortHash(drawn) };
}

/** Names of the parameter columns, in the order of the config; and those that vary within a protocol. */
export function parameterNames(cells: readonly Cell[]): { readonly all: string[]; readonly swept: string[] } {
  const all = [...new Set(cells.flatMap((cell) => Object.keys(cell.sweep)))];
  const swept = all.filter((name) => {
    const values = new Map<number, Set<unknown>>();
    for (const cell of cells) {
      if (!(name in cell.sweep)) continue;
      values.set(cell.series, (values.get(cell.series) ?? new Set()).add(cell.sweep[name]));
    }
    return [...values.values()].some((distinct) => distinct.size > 1);
  });
  return { all, swept };
}
