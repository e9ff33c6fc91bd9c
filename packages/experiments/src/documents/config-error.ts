/**
 * A config that cannot be run. The message is one line: file, path of the value, what was given, what is
 * allowed.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'bad-config';
}

/** Steps into a config: ['privacy', 'levels', 1]. */
export type ConfigPath = readonly (string | number)[];

/** 'privacy.levels[1]' */
export function pathText(path: ConfigPath): string {
  return path
    .map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`))
    .join('');
}

const LONGEST_SHOWN = 60;

/** A value as its author wrote it, cut where it is long. */
export function valueText(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  const text = value === undefined ? 'nothing' : isNumber ? String(value) : JSON.stringify(value);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

/** Refuses a field by `refusal`, of a file that it knows. @throws ConfigError */
export type Refuse = (path: ConfigPath, given: unknown, allowed: string) => never;

/** `file: path = value: must be allowed`, or `file: path is missing: must be allowed` */
export function refusal(file: string, path: ConfigPath, given: unknown, allowed: string): ConfigError {
  if (given === undefined && path.length > 0)
    return new ConfigError(`${file}: ${pathText(path)} is missing: must be ${allowed}`);
  const where = path.length === 0 ? '' : ` ${pathText(path)} =`;
  return new ConfigError(`${file}:${where} ${valueText(given)}: must be ${allowed}`);
}
