/**
 * Protocols of a config that would be called the same, as those of one kind with other parameters are: tables
 * and charts tell series by their names.
 */
import { basename } from 'node:path';
import { groupBy } from '@shuffle-dp/core';
import type { ExperimentConfig } from '../config/schema.ts';
import { asList } from '../documents/fields.ts';
import type { CellResult } from './run-result.ts';

/** What is no parameter of a protocol. */
const NAMES_AND_LIMITS = new Set(['kind', 'label', 'timeLimit']);

/**
 * As tables are to call a cell: its protocol, and of namesakes the fields of the config in which they differ.
 */
export function distinctNames(
  cells: readonly Named[],
  { protocols }: Pick<ExperimentConfig, 'protocols'>,
): (cell: Named) => string {
  const added = new Map<string, string>();
  for (const [name, called] of groupBy(cells, ({ protocol }) => protocol)) {
    const namesakes = [...new Set(called.map(({ series }) => series))];
    if (namesakes.length === 1) continue;
    const fields = namesakes.map((series) => fieldsOf(protocols[series]!));
    for (const [i, series] of namesakes.entries()) {
      const differing = [...fields[i]!].filter(([field, value]) =>
        fields.some((other) => other.get(field) !== value),
      );
      added.set(key(series, name), differing.map(([field, value]) => `, ${field} ${value}`).join(''));
    }
  }
  return ({ series, protocol }) => protocol + (added.get(key(series, protocol)) ?? '');
}

type Named = Pick<CellResult, 'series' | 'protocol'>;

function key(series: number, name: string): string {
  return `${series} ${name}`;
}

/** Parameters as they are written, lists with strokes. */
function fieldsOf(protocol: ExperimentConfig['protocols'][number]): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(protocol).flatMap(([field, value]) =>
      NAMES_AND_LIMITS.has(field) || value === undefined ? [] : [[field, inWords(field, value)] as const],
    ),
  );
}

function inWords(field: string, value: unknown): string {
  if (field === 'module') return basename(String(value));
  return asList(value)
    .map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
    .join('/');
}
