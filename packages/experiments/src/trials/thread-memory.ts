/**
 * What a thread keeps between its tasks: the opened data, the protocols of cells, and data sets that several
 * cells share.
 */
import { keptByKey, type SearchResults } from '@shuffle-dp/core';
import { DataFileError, fileDigest } from '../data/data-file.ts';
import type { DataSource } from '../data/data-set-card.ts';
import { openDataSource } from '../data/data-sets.ts';
import type { Cell } from '../kinds/cell.ts';
import type { DataCell } from '../kinds/data-cell.ts';
import type { AnyData } from '../kinds/data-kind.ts';
import { kindOf } from '../kinds/kinds.ts';
import { canonicalJson } from '../run-folder/canonical-json.ts';
import { cellProtocol, type CellProtocol } from './cell-protocol.ts';
import { drawData, type TrialPurpose } from './trial.ts';

/** Bytes of data sets that a thread keeps for the next cells that share them. */
const MOST_KEPT_BYTES = 64 * 2 ** 20;

const sources = keptByKey<DataSource>(1);
const protocols = keptByKey<CellProtocol>(64);
const kept = new Map<string, { readonly data: AnyData; readonly bytes: number }>();
let keptBytes = 0;

/** Opened once for the cells that share it. */
export function sourceOf(data: DataCell): DataSource {
  return sources(canonicalJson([data.config, data.file, data.fileDigest]), () => {
    const source = openDataSource(data.config, data.file);
    // Another machine may have another file of that name.
    if (data.file !== null && fileDigest(data.file) !== data.fileDigest)
      throw new DataFileError(data.file, 'is not the file that the run was planned with');
    return source;
  });
}

/** Made once for the tasks of its cell. @param searches of its description, where that is known */
export function protocolOf(cell: Cell, searches?: SearchResults): CellProtocol {
  // Cells of two runs may differ by their names alone.
  return protocols(canonicalJson([cell.id, cell.label ?? null]), () => cellProtocol(cell, searches));
}

/** Drawn once for the cells that share it. */
export function dataOf(cell: DataCell, trial: number, purpose: TrialPurpose = 'trial'): AnyData {
  const key = `${cell.key} ${purpose} ${trial}`;
  const known = kept.get(key);
  if (known) return known.data;
  const data = drawData(sourceOf(cell), cell, trial, purpose);
  const bytes = kindOf(data.kind).bytesOf(data);
  for (const [oldest, entry] of kept) {
    if (keptBytes + bytes <= MOST_KEPT_BYTES) break;
    kept.delete(oldest);
    keptBytes -= entry.bytes;
  }
  kept.set(key, { data, bytes });
  keptBytes += bytes;
  return data;
}
