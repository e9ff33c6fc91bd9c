/**
 * What a config asks for, before anything is run: its cells, and the hash that tells its runs from others.
 */
import { ParameterError } from '@shuffle-dp/core';
import { basename, dirname, resolve } from 'node:path';
import { ConfigError } from '../documents/config-error.ts';
import { LIMITS } from '../documents/limits.ts';
import type { ExperimentConfig } from '../config/schema.ts';
import { DataFileError, fileDigest, resolveDataPath } from '../data/data-file.ts';
import { openDataSource } from '../data/data-sets.ts';
import type { SetSource } from '../data/item-sets/set-source.ts';
import { kindOf } from '../kinds/kinds.ts';
import { canonicalHash } from '../run-folder/canonical-json.ts';
import type { Cell } from '../kinds/cell.ts';
import type { PaddedShares } from '../results/run-result.ts';
import { withoutControls } from '../words/control-characters.ts';
import type { SourceFacts } from './cells.ts';
import { planCells } from './plan-cells.ts';

export interface ExperimentPlan {
  readonly cells: readonly Cell[];
  /** Hash of the config, and of the data and modules it reads. */
  readonly configHash: string;
  /** What a user should know beforehand, of how the data were read among others. */
  readonly notices: readonly string[];
  /** Of how the data were read alone. */
  readonly dataNotes: readonly string[];
  readonly skippedUsers: number;
  readonly itemNames: readonly string[] | null;
  readonly padded: PaddedShares | null;
}

/**
 * All cells that a config describes, each with its data, protocol and privacy, before any trial.
 *
 * @param configFile against whose folder paths of data are resolved
 * @throws ConfigError, DataFileError
 */
export function planExperiment(config: ExperimentConfig, configFile: string): ExperimentPlan {
  const { notices, skippedUsers, itemNames, padded, ...source } = sourceFacts(config, configFile);
  const { $schema: _, ...content } = config;
  // The hash of a config that says nothing of it is that of before there was a choice.
  const measure = config.measure === 'frequencies' ? undefined : config.measure;
  const error = config.error === 'total-squared' ? undefined : config.error;
  const data = 'path' in config.data ? { ...config.data, path: undefined } : config.data;
  // A run that met a time limit goes on with a longer one.
  const protocols = config.protocols.map((protocol) => ({ ...protocol, timeLimit: undefined }));
  const cells = planCells(config, source, configFile, itemNames);
  return {
    cells,
    configHash: canonicalHash({
      ...content,
      protocols,
      measure,
      error,
      data,
      fileDigest: source.fileDigest,
      moduleDigests: moduleDigests(cells),
    }),
    notices: [...notices, ...noticeOfMany(source.domain)],
    // Where a file lies is nobody else's business.
    dataNotes: notices.map((note) =>
      source.file ? note.replaceAll(source.file, basename(source.file)) : note,
    ),
    skippedUsers,
    itemNames,
    padded,
  };
}

/** Of each protocol with a module, in order; undefined for none, whose hash knows nothing of modules. */
function moduleDigests(cells: readonly Cell[]): readonly string[] | undefined {
  const digests = new Map<number, string>();
  for (const { series, spec } of cells) if (spec.kind === 'own-randomizer') digests.set(series, spec.digest);
  return digests.size === 0 ? undefined : [...digests.values()];
}

function noticeOfMany(domain: number): string[] {
  const { most } = LIMITS.estimates;
  return domain <= most ? [] : [`estimates.csv has no rows: ${domain} estimates are more than ${most}`];
}

function paddedShares({ paddingEffect }: SetSource): PaddedShares | null {
  if (paddingEffect === undefined) return null;
  const { domain, before, after } = paddingEffect();
  return { domain, before: [...before], after: [...after] };
}

function sourceFacts(
  config: ExperimentConfig,
  configFile: string,
): SourceFacts & Pick<ExperimentPlan, 'notices' | 'skippedUsers' | 'itemNames' | 'padded'> {
  const { data } = config;
  try {
    const file = 'path' in data ? resolveDataPath(data.path, dirname(resolve(configFile))) : null;
    const digest = file === null ? null : fileDigest(file);
    const source = openDataSource(data, file);
    const { domain, available, notices, skipped = 0 } = source;
    const areListed = domain <= LIMITS.estimates.most;
    return {
      domain,
      ...('items' in source ? { items: source.items } : {}),
      ...('keys' in source ? { keys: source.keys } : {}),
      ...('bits' in source ? { bits: source.bits } : {}),
      ...('grid' in source ? { grid: source.grid } : {}),
      ...('range' in source ? { range: source.range } : {}),
      available,
      ...(source.holds === 'sets' && source.drawCounts ? { countsFrom: source.countsFrom ?? 0 } : {}),
      notices,
      skippedUsers: skipped,
      itemNames: areListed ? printable(kindOf(source.holds).namesOf(source, config.measure)) : null,
      padded: areListed && source.holds === 'sets' ? paddedShares(source) : null,
      file,
      fileDigest: digest,
    };
  } catch (error) {
    if (error instanceof DataFileError) throw new ConfigError(`${configFile}: data.path: ${error.message}`);
    if (error instanceof ParameterError) throw new ConfigError(`${configFile}: ${error.message}`);
    throw error;
  }
}

/** As files, charts and terminals can have them: a label's escape would end a run whose trials are done. */
function printable(names: readonly string[] | null): readonly string[] | null {
  return names?.map((name) => withoutControls(name)) ?? null;
}
