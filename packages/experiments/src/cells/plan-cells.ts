/** From a config to its cells: every combination of a protocol's swept values with the numbers of users. */
import { dirname, resolve } from 'node:path';
import { ConfigError, refusal, type ConfigPath } from '../documents/config-error.ts';
import { counted } from '../words/counted.ts';
import { asList } from '../documents/fields.ts';
import { LIMITS } from '../documents/limits.ts';
import { isSetData } from '../data/data-sets.ts';
import { levelEpsilons } from '../config/level-epsilons.ts';
import type { ACCOUNTINGS, ExperimentConfig } from '../config/schema.ts';
import { fileDigest } from '../data/data-file.ts';
import { needsWholeSets, sendsByBlocks } from '@shuffle-dp/protocols';
import { PROTOCOL_CARDS } from '../config/protocol-cards.ts';
import { ACCOUNTING_COLUMN } from '../config/threat-columns.ts';
import type { Cell } from '../kinds/cell.ts';
import { certifiedValues } from '../kinds/certified-spec.ts';
import { BUDGET_FORMS, BudgetError, parseBudgets } from '../personalized/budget-distribution.ts';
import { isDistribution } from '../personalized/written-budgets.ts';
import { BUDGET_LEVELS, MOST_OWN_BUDGETS, type CellBudgets } from '../personalized/cell-budgets.ts';
import { cellDeltas } from './cell-deltas.ts';
import { hasPartialTheory } from './partial-theory.ts';
import { threatSettings, type ThreatSetting } from './threat-settings.ts';
import { dataCell, makeCell, type CellContent, type SourceFacts } from './cells.ts';
import type { OwnRandomizerSpec } from '../own-randomizer/own-randomizer.ts';

type Protocol = ExperimentConfig['protocols'][number];

/**
 * Protocol by protocol.
 *
 * @param configFile for messages
 * @param itemNames what the data call the categories
 * @throws ConfigError where a value makes no sense together with the data
 */
export function planCells(
  config: ExperimentConfig,
  source: SourceFacts,
  configFile: string,
  itemNames: readonly string[] | null = null,
): Cell[] {
  const { privacy, protocols } = config;
  const sets = isSetData(config.data);
  const shares = sets ? (privacy.shares ?? [1]) : [1];
  const targets = privacyTargets(config, configFile);
  const circumstances = circumstancesOf(
    config,
    threatSettings(config, configFile, { domain: source.domain, itemNames }),
  );
  refuseMany(
    config,
    protocols.reduce((sum, protocol) => sum + combinations(protocol), 0) *
      targets.length *
      circumstances.length,
    configFile,
  );
  const settings = asList(config.users).map((given, index, list) => {
    const path = Array.isArray(config.users) ? ['users', index] : ['users'];
    const users = given === 'all' ? source.available! : given;
    if (given === 'all' && list.includes(users))
      throw refusal(configFile, path, given, `listed once: it is ${users}`);
    const most = mostUsers(config, source);
    if (users > most.users) throw refusal(configFile, path, given, `at most ${most.users}${most.because}`);
    const variables = {
      n: users,
      d: source.bits === undefined ? source.domain : 2 ** source.bits,
      s: source.items ?? 1,
    };
    return {
      data: dataCell(config, source, users, shares),
      ...cellDeltas(config, variables, configFile),
    };
  });
  const cells = protocols.flatMap((protocol, series) => {
    const fixed = protocol.kind === 'own-randomizer' ? ownRandomizerFields(protocol, configFile) : {};
    return settings.flatMap(({ data, ...ofUsers }) =>
      targets.flatMap((target) =>
        circumstances.flatMap(({ threats: facing, columns, accounting }) =>
          sweepValues(protocol).map((written, _, settingsOfSweep) => {
            const values = accounting === 'certified' ? certified(protocol.kind, written, target) : written;
            const content = {
              series,
              ...(protocol.label === undefined ? {} : { label: protocol.label }),
              holds: data.holds,
              spec: { kind: protocol.kind, ...fixed, ...values },
              data,
              ...target,
              ...ofUsers,
              trials: config.trials,
              postprocess: config.postprocess,
              ...(config.measure === 'frequencies' ? {} : { measure: config.measure }),
              ...(config.error === 'total-squared' ? {} : { error: config.error }),
              ...(facing && { threats: facing }),
              ...(accounting === 'certified' ? { accounting } : {}),
              ...(settingsOfSweep.length > 1 ? { oneOfSweep: true as const } : {}),
              sweep: {
                ...values,
                ...(target.epsilon === undefined ? {} : { targetEpsilon: target.epsilon }),
                ...(target.budgets && { budgets: target.budgets.distribution }),
                ...columns,
              },
              // The checks of the config have paired protocols, data and targets; the compiler cannot follow
              // them.
            } as CellContent;
            const partial = content.oneOfSweep && hasPartialTheory(content, settingsOfSweep);
            return makeCell(config, partial ? { ...content, choosesByTrials: true } : content);
          }),
        ),
      ),
    );
  });
  const told = certifiedOnce(cells);
  refuseTwins(told, configFile);
  return told;
}

interface Circumstances extends ThreatSetting {
  readonly accounting: (typeof ACCOUNTINGS)[number];
}

/** Each accounting with each setting of threats. */
function circumstancesOf(
  { privacy }: ExperimentConfig,
  threats: readonly ThreatSetting[],
): readonly Circumstances[] {
  const { accounting: given } = privacy;
  return asList(given ?? ('published' as const)).flatMap((accounting) =>
    threats.map(({ columns, ...facing }) => ({
      ...facing,
      accounting,
      columns: given === undefined ? columns : { ...columns, [ACCOUNTING_COLUMN]: accounting },
    })),
  );
}

function certified(kind: string, values: SweptValues, { levels }: PrivacyTarget): SweptValues {
  const card = PROTOCOL_CARDS.find((known) => known.kind === kind);
  // A module of one's own is accounted by its blanket.
  return (card ? certifiedValues(card, values, levels) : { ...values, accounting: 'blanket' }) as SweptValues;
}

/** Protocols that differed in their accounting alone are one: the first of them. */
function certifiedOnce(cells: readonly Cell[]): Cell[] {
  const known = new Set<string>();
  return cells.filter((cell) => cell.accounting === undefined || known.size < known.add(cell.id).size);
}

interface PrivacyTarget {
  readonly levels?: readonly number[];
  readonly epsilon?: number;
  readonly budgets?: CellBudgets;
}

/** The levels of sets, each distribution of budgets, or each central target. */
function privacyTargets(
  { data, privacy, budgets, budgetLevels = BUDGET_LEVELS }: ExperimentConfig,
  configFile: string,
): readonly PrivacyTarget[] {
  if (isSetData(data)) return [{ levels: levelEpsilons(privacy.levels!) }];
  if (budgets !== undefined)
    return asList(budgets).map((text, i) => {
      const path = Array.isArray(budgets) ? ['budgets', i] : ['budgets'];
      return { budgets: { distribution: distributionText(text, path, configFile), levels: budgetLevels } };
    });
  if (privacy.epsilon === undefined) return [{}];
  return asList(privacy.epsilon).map((epsilon) => ({ epsilon }));
}

/** Without spaces. @throws ConfigError for what is no distribution */
function distributionText(text: string, path: ConfigPath, configFile: string): string {
  try {
    return parseBudgets(text).text;
  } catch (error) {
    if (!(error instanceof BudgetError)) throw error;
    const reason = isDistribution(text)
      ? `: ${error.message}`
      : `, ${BUDGET_FORMS}; a file of them is for personalized alone`;
    throw refusal(configFile, path, text, `a distribution of budgets${reason}`);
  }
}

/** @param perUsers cells for each number of users */
function refuseMany(config: ExperimentConfig, perUsers: number, configFile: string): void {
  const cells = perUsers * asList(config.users).length;
  if (cells > LIMITS.cells.most)
    throw new ConfigError(
      `${configFile}: its lists make ${cells} cells: at most ${LIMITS.cells.most} are run at a time`,
    );
  if (cells * config.trials > LIMITS.trialsInAll.most)
    throw refusal(
      configFile,
      ['trials'],
      config.trials,
      `at most ${Math.floor(LIMITS.trialsInAll.most / cells)} for ${counted(cells, 'cell')}`,
    );
}

function refuseTwins(cells: readonly Cell[], configFile: string): void {
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
}

function mostUsers(
  config: ExperimentConfig,
  { available, items, grid, countsFrom }: SourceFacts,
): { readonly users: number; readonly because: string } {
  const countsUsers =
    countsFrom === 0 ||
    (countsFrom !== undefined && !config.protocols.some(({ kind }) => needsWholeSets(kind)));
  const everyUserIsDrawn =
    config.simulation === 'messages' ||
    grid !== undefined ||
    'path' in config.data ||
    (isSetData(config.data) && !countsUsers);
  const byBlocks =
    config.simulation === 'messages' &&
    config.budgets === undefined &&
    config.threats === undefined &&
    !('path' in config.data) &&
    config.protocols.every(({ kind }) => sendsByBlocks(kind));
  const most = byBlocks ? LIMITS.sentItems.most : LIMITS.drawnItems.most;
  const held = everyUserIsDrawn ? Math.floor(most / (items ?? 1)) : Infinity;
  if (config.budgets !== undefined && MOST_OWN_BUDGETS < Math.min(held, available ?? Infinity))
    return { users: MOST_OWN_BUDGETS, because: ' where every user has a budget of the own' };
  return available !== null && available <= held
    ? { users: available, because: ', the users of the file who can take part' }
    : { users: held, because: ' where every user is drawn' };
}

/** Fields of a protocol that no list sweeps over. */
const FIXED_FIELDS = new Set(['kind', 'label', 'module', 'options', 'timeLimit']);

type SweptValues = Readonly<Record<string, number | string>>;

function sweptFields(protocol: Protocol): [string, readonly (number | string)[]][] {
  return Object.entries(protocol).flatMap(([name, value]) =>
    FIXED_FIELDS.has(name) || value === undefined
      ? []
      : [[name, asList(value as number | string | readonly (number | string)[])]],
  );
}

function combinations(protocol: Protocol): number {
  return sweptFields(protocol).reduce((product, [, values]) => product * values.length, 1);
}

/** Every combination of the listed values; the last list runs fastest. */
function sweepValues(protocol: Protocol): SweptValues[] {
  let known: SweptValues[] = [{}];
  for (const [name, values] of sweptFields(protocol)) {
    known = known.flatMap((before) => values.map((entry) => ({ ...before, [name]: entry })));
  }
  return known;
}

/**
 * Where the module is, and what it is, so that results of another version are not mixed in. @throws
 * ConfigError
 */
function ownRandomizerFields(
  { module, options = {}, timeLimit }: Extract<Protocol, { kind: 'own-randomizer' }>,
  configFile: string,
): Pick<OwnRandomizerSpec, 'module' | 'digest' | 'options' | 'timeLimit'> {
  const path = resolve(dirname(configFile), module);
  try {
    return { module: path, digest: fileDigest(path), options, timeLimit };
  } catch (error) {
    throw new ConfigError(`${configFile}: module: ${error instanceof Error ? error.message : String(error)}`);
  }
}
