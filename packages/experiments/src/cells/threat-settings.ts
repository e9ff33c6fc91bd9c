/** The threats of a config, one by one: what its cells face. */
import { refusal, type ConfigPath } from '../documents/config-error.ts';
import { asList } from '../documents/fields.ts';
import type { ExperimentConfig } from '../config/schema.ts';
import type { CellThreats } from '../kinds/threats.ts';

export interface ThreatSetting {
  /** Absent where everybody does as they should. */
  readonly threats?: CellThreats;
  /** Columns of a sweep; none in configs that know no threats. */
  readonly columns: Readonly<Record<string, number | string>>;
}

/**
 * Every setting once.
 * @throws ConfigError for targets that the data have not, and for two attacks of one fraction
 */
export function threatSettings(
  config: ExperimentConfig,
  configFile: string,
  data: { readonly domain: number; readonly itemNames: readonly string[] | null },
): readonly ThreatSetting[] {
  if (config.threats === undefined) return [{ columns: {} }];
  /** By what tables call them. */
  const known = new Map<string, ThreatSetting>();
  const list = Array.isArray(config.threats);
  asList(config.threats).forEach((setting, i) => {
    const { poisoning } = setting;
    const path: ConfigPath = ['threats', ...(list ? [i] : []), 'poisoning', 'targets'];
    const targets = (poisoning?.targets ?? []).map((target, j) =>
      place(target, [...path, j], configFile, data),
    );
    const twice = targets.findIndex((target, j) => targets.indexOf(target) !== j);
    if (twice >= 0) throw refusal(configFile, [...path, twice], poisoning!.targets![twice], 'listed once');
    for (const colluding of asList(setting.colluding ?? 0))
      for (const dropout of asList(setting.dropout ?? 0))
        for (const fraction of asList(poisoning?.fraction ?? 0)) {
          const threats: CellThreats = {
            ...(colluding > 0 ? { colluding } : {}),
            ...(dropout > 0 ? { dropout } : {}),
            ...(fraction > 0 ? { poisoning: { fraction, attack: poisoning!.attack, targets } } : {}),
          };
          const columns = { colluding, dropout, poisoning: fraction };
          const name = JSON.stringify(columns);
          const before = known.get(name);
          if (before && JSON.stringify(before.threats ?? {}) === JSON.stringify(threats)) continue;
          if (before)
            throw refusal(
              configFile,
              [...path.slice(0, -1), 'fraction'],
              fraction,
              'another fraction than an earlier attack has, or in a config of its own: tables name attacks by their fractions',
            );
          known.set(name, Object.keys(threats).length === 0 ? { columns } : { threats, columns });
        }
  });
  return [...known.values()];
}

/** The number of a category that is named, or numbered. */
function place(
  target: number | string,
  path: ConfigPath,
  configFile: string,
  { domain, itemNames }: { readonly domain: number; readonly itemNames: readonly string[] | null },
): number {
  if (typeof target === 'number') {
    if (target >= domain)
      throw refusal(configFile, path, target, `below ${domain}, the number of categories`);
    return target;
  }
  const found = itemNames?.indexOf(target) ?? -1;
  if (found < 0)
    throw refusal(
      configFile,
      path,
      target,
      itemNames ? 'a name of the data' : 'a number: the data have no names',
    );
  return found;
}
