/** A field of a config in place of what the file says: `--set privacy.epsilon=0.5`. */
import { ConfigError, pathText, type ConfigPath } from './config-error.ts';
import { parseYaml } from './check-document.ts';

export interface FieldSetting {
  readonly path: ConfigPath;
  readonly value: unknown;
  /** As it was written. */
  readonly written: string;
}

/** 'protocols[0].epsilon0' */
const PATH = /^[A-Za-z$_][\w-]*(?:\.[A-Za-z$_][\w-]*|\[\d+\])*$/u;

/** @param written 'protocols[0].epsilon0=1': a path, and a value as YAML @throws ConfigError */
export function parseFieldSetting(written: string): FieldSetting {
  const equals = written.indexOf('=');
  const name = written.slice(0, Math.max(0, equals));
  if (!PATH.test(name))
    throw new ConfigError(
      `--set ${JSON.stringify(written)}: must be path=value, such as privacy.epsilon=0.5 or protocols[0].kind=grr`,
    );
  const path = Array.from(name.matchAll(/[^.[\]]+/gu), ([step]) => (/^\d/u.test(step) ? Number(step) : step));
  if (path.some((step) => ['__proto__', 'constructor', 'prototype'].includes(String(step))))
    throw new ConfigError(`--set ${JSON.stringify(written)}: must be the path of a field`);
  return { path, value: parseYaml(written.slice(equals + 1), `--set ${pathText(path)}`), written };
}

/**
 * A copy of a document with these fields, the later ones last; groups that are missing are made. @throws
 * ConfigError
 */
export function withFields(document: object, settings: readonly FieldSetting[]): object {
  const copy = structuredClone(document);
  for (const { path, value, written } of settings) {
    let holder: unknown = copy;
    path.forEach((step, i) => {
      const fits =
        typeof step === 'number'
          ? Array.isArray(holder) && step < holder.length
          : typeof holder === 'object' && holder !== null && !Array.isArray(holder);
      if (!fits)
        throw new ConfigError(
          `--set ${JSON.stringify(written)}: the config has no ${pathText(path.slice(0, i + 1))}`,
        );
      const fields = holder as Record<string | number, unknown>;
      if (i === path.length - 1) fields[step] = value;
      else if (typeof path[i + 1] === 'string') fields[step] ??= {};
      holder = fields[step];
    });
  }
  return copy;
}
