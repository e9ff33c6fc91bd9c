/** From a file to a checked config. All refusals are one line that names the file and the value. */
import { systemReason } from '../words/system-reason.ts';
import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';
import { checkDocument } from '../documents/check-document.ts';
import { ConfigError, pathText } from '../documents/config-error.ts';
import { checkConsistency } from './consistency.ts';
import { LIMITS } from '../documents/limits.ts';
import { parseFieldSetting, withFields, type FieldSetting } from '../documents/set-field.ts';
import { holdingOf } from '../data/data-sets.ts';
import { MEASURES } from './measures.ts';
import { experimentSchema, type ExperimentConfig } from './schema.ts';

/** What the command line may say in place of the config. */
export interface ConfigOverrides {
  readonly trials?: number | undefined;
  readonly seed?: string | undefined;
  /** Privacy.accounting. */
  readonly accounting?: 'certified' | undefined;
  /** As `--set` writes them: 'privacy.epsilon=0.5'. */
  readonly set?: readonly string[] | undefined;
}

/**
 * The experiment that a YAML or JSON file describes.
 *
 * @param overrides fields in place of what the file says, as `--set` gives them
 * @throws ConfigError in one line: file, field, value, what is allowed
 */
export function loadConfig(file: string, overrides: ConfigOverrides = {}): ExperimentConfig {
  return parseConfig(readConfigFile(file), file, overrides);
}

/**
 * The experiment that a YAML or JSON text describes, checked.
 *
 * @param file the name to use in messages
 * @throws ConfigError
 * @example parseConfig('{ name: a, seed: 1, adjacency: replace-one, trials: 1, data: { kind: categories-uniform, domain: 4 }, users: 9, privacy: { delta: 1e-6, epsilon: 1 }, protocols: [{ kind: frequency, randomizer: grr }] }', 'a.yaml').trials // 1
 */
export function parseConfig(text: string, file: string, overrides: ConfigOverrides = {}): ExperimentConfig {
  const what = 'an experiment config: fields such as name, seed, data and protocols';
  const { accounting, set = [], ...fields } = overrides;
  const settings = [...set, ...(accounting === undefined ? [] : [`privacy.accounting=${accounting}`])];
  const parsed = settings.map(parseFieldSetting);
  requireDifferent(parsed.slice(0, set.length), overrides);
  const edited = (document: object): object =>
    parsed.length === 0 ? document : withFields(document, parsed);
  const checked = checkDocument(text, file, experimentSchema, what, { overrides: fields, edited });
  const config = { ...checked, measure: checked.measure ?? MEASURES[holdingOf(checked.data)][0] };
  checkConsistency(config, file);
  return config;
}

/** @throws ConfigError */
export function readConfigFile(file: string): string {
  let bytes: Buffer;
  try {
    bytes = firstBytes(file, LIMITS.configBytes.most + 1);
  } catch (error) {
    throw new ConfigError(`${file}: cannot be read: ${systemReason(error)}`);
  }
  if (bytes.length > LIMITS.configBytes.most)
    throw new ConfigError(`${file}: is too long: a config has at most ${LIMITS.configBytes.most} bytes`);
  if (!isUtf8(bytes)) throw new ConfigError(`${file}: has bytes that are not UTF-8`);
  // Some editors begin a file with a mark of its encoding.
  return bytes.toString('utf8').replace(/^\uFEFF/u, '');
}

/** As many as there are, up to `most`; a file need not have an end. */
function firstBytes(file: string, most: number): Buffer {
  const bytes = Buffer.alloc(most);
  const descriptor = openSync(file, 'r');
  try {
    let end = 0;
    for (let read = 1; read > 0 && end < most; end += read)
      read = readSync(descriptor, bytes, end, most - end, null);
    return bytes.subarray(0, end);
  } finally {
    closeSync(descriptor);
  }
}

/** @throws ConfigError where one field is set twice, as one value would be lost without a word */
function requireDifferent(
  settings: readonly FieldSetting[],
  { trials, seed, accounting }: ConfigOverrides,
): void {
  const paths = settings.map(({ path }) => pathText(path));
  const again = paths.find((path, i) => paths.indexOf(path) < i);
  if (again !== undefined) throw new ConfigError(`--set ${again} is given twice`);
  const flags = { trials, seed, 'privacy.accounting': accounting };
  for (const [field, value] of Object.entries(flags)) {
    if (value !== undefined && paths.includes(field))
      throw new ConfigError(
        `--set ${field} is given beside --${field === 'privacy.accounting' ? accounting : field}`,
      );
  }
}
