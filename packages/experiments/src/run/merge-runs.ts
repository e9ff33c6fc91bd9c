/** One run from the journals of its shards: every cell once, and nothing run. */
import { counted } from '../words/counted.ts';
import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RunResult } from '../results/run-result.ts';
import { assembleRun } from './assemble-run.ts';
import { canonicalJson } from '../run-folder/canonical-json.ts';
import { isRefusal, type CellOutcome } from './cell-refusal.ts';
import type { Cell } from '../kinds/cell.ts';
import {
  JOURNAL_FILE,
  JournalError,
  journalText,
  readJournal,
  type JournalHeader,
} from '../run-folder/journal.ts';
import type { JournalledRunOptions } from '../run-folder/journalled-run.ts';
import { openOutputFolder } from '../run-folder/output-folder.ts';
import { writeFileAtomically } from '../run-folder/write-files.ts';
import { shardText } from '../run-folder/shard.ts';
import { asUnmerged } from '../run-folder/stopped-error.ts';
import { PLAN_FORMAT, readPlan, writtenPlan, type RecordedPlan } from '../cells/recorded-plan.ts';
import { shardCells } from '../cells/shards.ts';

/** Journals that do not make one run. */
export class MergeError extends Error {
  override readonly name = 'MergeError';
  readonly code = 'bad-merge';
}

/** Those of a run that nothing goes on with. */
export type MergeOptions = Pick<JournalledRunOptions<RunResult>, 'out' | 'force' | 'onNotice' | 'write'>;

interface ShardJournal {
  readonly folder: string;
  readonly header: JournalHeader;
  readonly plan: RecordedPlan;
  readonly records: ReadonlyMap<string, CellOutcome>;
}

/** Cells that a message names before it says how many more there are. */
const MOST_NAMED = 3;

/**
 * Joins the journals of `folders`, shards or whole runs, to the run that one process would have made. Nothing
 * is written unless they are of one config, seed and data, agree where they overlap, and lack no cell.
 *
 * @throws MergeError, OutputError, LockedError before anything is written; StoppedError where `out` cannot be
 * written
 */
export async function mergeRuns(folders: readonly string[], options: MergeOptions): Promise<RunResult> {
  const { out } = options;
  if (folders.some((folder) => realPath(folder) === realPath(out)))
    throw new MergeError(`${out}: is one of the folders to merge: name another with --out`);
  const journals = folders.map(openShard);
  const [first] = journals as [ShardJournal, ...ShardJournal[]];
  const different = journals.find(({ header }) => header.configHash !== first.header.configHash);
  if (different) {
    throw new MergeError(
      `${different.folder}: holds another run than ${first.folder} (config, seed, trials, data or module differ)`,
    );
  }
  const records = joinRecords(journals);
  const { plan } = first;
  const missing = plan.cells.filter(({ id }) => !records.has(id));
  if (missing.length > 0) throw new MergeError(missingText(plan.cells, missing, journals));
  refuseNothingRun(plan, records);
  const provenance = jointProvenance(journals);
  if (provenance.codeVersion !== first.header.codeVersion)
    options.onNotice?.(`${out}: was made by several versions of the program: ${provenance.codeVersion}`);
  const run = assembleRun(plan, provenance, (cell) => records.get(cell)!);
  const folder = await openOutputFolder(out, provenance.configHash, {
    resume: false,
    force: options.force ?? false,
    isMerge: true,
  });
  try {
    const inOrder = plan.cells.map(({ id }) => records.get(id)!);
    writeFileAtomically(
      join(out, JOURNAL_FILE),
      journalText({ ...provenance, plan: writtenPlan(plan) }, inOrder),
    );
  } catch (error) {
    folder.discard();
    throw asUnmerged(error, out, false);
  }
  try {
    // What is replaced stands aside until there is a journal in its place.
    folder.replace();
    await options.write?.(run, out);
    return run;
  } catch (error) {
    throw asUnmerged(error, out, true);
  } finally {
    folder.release();
  }
}

/** A link to a folder is that folder. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

/** @throws MergeError where no cell can be made: one process would have said so and stopped */
function refuseNothingRun(
  { cells, configFile }: RecordedPlan,
  records: ReadonlyMap<string, CellOutcome>,
): void {
  const outcomes = cells.map(({ id }) => records.get(id)!);
  const [first] = outcomes;
  if (first && isRefusal(first) && outcomes.every(isRefusal))
    throw new MergeError(`${configFile}: no cell can be made: ${first.refused}`);
}

function openShard(folder: string): ShardJournal {
  let journal;
  try {
    journal = readJournal<CellOutcome>(join(folder, JOURNAL_FILE));
  } catch (error) {
    if (error instanceof JournalError) throw new MergeError(error.message);
    throw new MergeError(`${folder}: holds no run: its ${JOURNAL_FILE} cannot be read`);
  }
  const { header, records } = journal;
  if (header?.plan === undefined)
    throw new MergeError(`${folder}: holds no run of an experiment config that could be merged`);
  const plan = header.plan as RecordedPlan;
  if (plan.format !== PLAN_FORMAT)
    throw new MergeError(
      `${folder}: was begun by another version of the program, which wrote its plan otherwise: run it again with --force`,
    );
  return { folder, header, plan: readPlan(plan), records };
}

/** A cell that two journals hold counts once, if they agree on it. */
function joinRecords(journals: readonly ShardJournal[]): Map<string, CellOutcome> {
  const records = new Map<string, CellOutcome>();
  const origins = new Map<string, string>();
  const measured = (record: CellOutcome): string => canonicalJson({ ...record, seconds: null });
  for (const { folder, records: own } of journals) {
    for (const [id, record] of own) {
      const known = records.get(id);
      if (known && measured(known) !== measured(record))
        throw new MergeError(
          `${folder}: differs from ${origins.get(id)} in cell ${id}: run one of them anew`,
        );
      if (known) continue;
      records.set(id, record);
      origins.set(id, folder);
    }
  }
  return records;
}

/** That of the first journal, with every version that had a part in the run. */
function jointProvenance(journals: readonly ShardJournal[]): JournalHeader {
  const { configHash, seed, command } = journals[0]!.header;
  const all = (field: 'codeVersion' | 'nodeVersion'): string =>
    [...new Set(journals.map(({ header }) => header[field]))].join(', ');
  return { configHash, codeVersion: all('codeVersion'), nodeVersion: all('nodeVersion'), seed, command };
}

function missingText(
  cells: readonly Cell[],
  missing: readonly Cell[],
  journals: readonly ShardJournal[],
): string {
  const named = missing.slice(0, MOST_NAMED).map(cellText);
  if (missing.length > MOST_NAMED) named.push(`and ${missing.length - MOST_NAMED} more`);
  const open = unfinished(cells, new Set(missing), journals);
  return `${missing.length} of ${counted(cells.length, 'cell')} ${missing.length === 1 ? 'is' : 'are'} missing (${named.join('; ')}): ${open}, then merge again`;
}

function cellText({ id, label, spec, data, sweep }: Cell): string {
  const values = Object.entries(sweep).map(([name, value]) => ` ${name} ${value}`);
  return `${id}, ${label ?? spec.kind}${values.join('')} at ${counted(data.users, 'user')}`;
}

/** What is to be run so that nothing is missing. */
function unfinished(
  cells: readonly Cell[],
  missing: ReadonlySet<Cell>,
  journals: readonly ShardJournal[],
): string {
  const [shard, ...others] = journals.map(({ header }) => header.shard);
  if (shard === undefined || others.some((other) => other?.count !== shard.count))
    return 'run them, or add --resume to the command of a run that was stopped';
  const given = new Map(journals.map(({ folder, header }) => [header.shard!.index, folder]));
  const steps: string[] = [];
  for (let index = 1; index <= shard.count; index++) {
    const open = { index, count: shard.count };
    if (!shardCells(cells, open).some((cell) => missing.has(cell))) continue;
    const folder = given.get(index);
    steps.push(
      folder === undefined
        ? `add shard ${shardText(open)}`
        : `finish ${folder} with --shard ${shardText(open)} --resume`,
    );
  }
  return steps.join(', ');
}
