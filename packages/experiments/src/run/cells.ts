/** From a config to its cells: every combination of a protocol's swept values with the numbers of users. */
import { dirname, resolve } from 'node:path';
import type { SimulationPath } from '@shuffle-dp/core';
import type { FrequencyProtocolSpec, SetProtocolSpec } from '@shuffle-dp/protocols';
import { ConfigError, refusal } from '../config/config-error.ts';
import { asList } from '../config/fields.ts';
import { parseExpression } from '../config/expression.ts';
import { isSetData, type DataConfig, type ExperimentConfig, type Postprocessing } from '../config/schema.ts';
import { fileDigest } from '../data/data-file.ts';
import { canonicalHash } from '../run-folder/canonical-json.ts';
import type { OwnRandomizerSpec } from './own-randomizer.ts';

/** Raised when the same cell is to be drawn otherwise than before, so that old journals are not mixed with new results. */
const CELL_FORMAT = 1;

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

/** @param configFile for messages @throws ConfigError where a value makes no sense together with the data */
export function planCells(config: ExperimentConfig, source: SourceFacts, configFile: string): Cell[] {
  const { privacy } = config;
  const sets = isSetData(config.data);
  const levels = sets ? privacy.levels! : null;
  const shares = sets ? (privacy.shares ?? [1]) : [1];
  const epsilons = sets || privacy.epsilon === undefined ? [null] : asList(privacy.epsilon);
  const cells = asList(config.users).flatMap((given, index, list) => {
    const path = Array.isArray(config.users) ? ['users', index] : ['users'];
    const users = given === 'all' ? source.available! : given;
    if (source.available !== null && users > source.available) {
      throw refusal(
        configFile,
        path,
        given,
        `at most ${source.available}, the users of the file who can take part`,
      );
    }
    if (given === 'all' && list.includes(users))
      throw refusal(configFile, path, given, `listed once: it is ${users}`);
    const itemsPerUser = source.itemsPerUser ?? 1;
    if (needsEveryUser(config) && users * itemsPerUser > MOST_HELD) {
      throw refusal(
        configFile,
        path,
        given,
        `at most ${Math.floor(MOST_HELD / itemsPerUser)} where every user is drawn`,
      );
    }
    const delta = evaluateDelta(privacy.delta, { n: users, d: source.domain, s: itemsPerUser }, configFile);
    const data = dataCell(config, source, users, shares);
    return config.protocols.flatMap((protocol, series) =>
      epsilons.flatMap((epsilon) =>
        sweepValues(protocol).map((values) =>
          makeCell(config, configFile, data, series, values, protocol.label ?? null, levels, epsilon, delta),
        ),
      ),
    );
  });
  const seen = new Map<string, Cell>();
  for (const cell of cells) {
    const twin = seen.get(cell.id);
    if (twin) {
      throw refusal(
        configFile,
        ['protocols', cell.series],
        cell.spec,
        `different from protocols[${twin.series}]: both are the same cell`,
      );
    }
    seen.set(cell.id, cell);
  }
  return cells.sort((a, b) => a.series - b.series || position(cells, a) - position(cells, b));
}

/** Items of all users that a data set may hold: they stand in one typed array. */
const MOST_HELD = 2 ** 31;

function needsEveryUser(config: ExperimentConfig): boolean {
  return isSetData(config.data) || config.simulation === 'messages' || config.data.kind === 'csv-categories';
}

function position(cells: readonly Cell[], cell: Cell): number {
  return cells.indexOf(cell);
}

function evaluateDelta(
  delta: number | string,
  variables: { readonly n: number; readonly d: number; readonly s: number },
  configFile: string,
): number {
  if (typeof delta === 'number') return delta;
  const value = parseExpression(delta)(variables);
  if (!(value > 0 && value < 1)) {
    const { n, d, s } = variables;
    throw refusal(
      configFile,
      ['privacy', 'delta'],
      delta,
      `in (0, 1); it is ${value} at n = ${n}, d = ${d}, s = ${s}`,
    );
  }
  return value;
}

function dataCell(
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
    key: canonicalHash(described).slice(0, 16),
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

/** Fields of a protocol that no list sweeps over. */
const FIXED_FIELDS = new Set(['kind', 'label', 'module', 'options']);

type SweptValues = Readonly<Record<string, number | string>>;

/** Every combination of the listed values; the last list runs fastest. */
function sweepValues(protocol: ExperimentConfig['protocols'][number]): SweptValues[] {
  let combinations: SweptValues[] = [{}];
  for (const [name, value] of Object.entries(protocol)) {
    if (FIXED_FIELDS.has(name) || value === undefined) continue;
    const values = asList(value as number | string | readonly (number | string)[]);
    combinations = combinations.flatMap((known) => values.map((entry) => ({ ...known, [name]: entry })));
  }
  return combinations;
}

/** Where the module is, and what it is, so that results of another version are not mixed in. @throws ConfigError */
function ownRandomizerFields(
  { module, options = {} }: Extract<ExperimentConfig['protocols'][number], { kind: 'own-randomizer' }>,
  configFile: string,
): Pick<OwnRandomizerSpec, 'module' | 'digest' | 'options'> {
  const path = resolve(dirname(configFile), module);
  try {
    return { module: path, digest: fileDigest(path), options };
  } catch (error) {
    throw new ConfigError(`${configFile}: module: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function makeCell(
  config: ExperimentConfig,
  configFile: string,
  data: DataCell,
  series: number,
  values: SweptValues,
  label: string | null,
  levels: readonly number[] | null,
  epsilon: number | null,
  delta: number,
): Cell {
  const protocol = config.protocols[series]!;
  const fixed = protocol.kind === 'own-randomizer' ? ownRandomizerFields(protocol, configFile) : {};
  const spec = { kind: protocol.kind, ...fixed, ...values } as Cell['spec'];
  const drawn = {
    format: CELL_FORMAT,
    spec: { ...spec, module: undefined },
    data: data.key,
    simulation: data.simulation,
    levels,
    epsilon,
    delta,
    seed: config.seed,
  };
  const identity = {
    ...drawn,
    trials: config.trials,
    postprocess: config.postprocess,
    adjacency: config.adjacency,
  };
  return {
    id: canonicalHash(identity).slice(0, 16),
    streamLabel: canonicalHash(drawn).slice(0, 16),
    series,
    label,
    spec,
    data,
    levels,
    epsilon,
    delta,
    trials: config.trials,
    postprocess: config.postprocess,
    sweep: epsilon === null ? values : { ...values, targetEpsilon: epsilon },
  };
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
