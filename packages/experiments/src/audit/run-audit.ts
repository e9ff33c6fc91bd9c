/** Audits of mechanisms by name and of the protocols of a config, on a pool of threads. */
import { ParameterError, requireInteger, type Interval, type ParameterValues } from '@shuffle-dp/core';
import { CATEGORY_RANDOMIZERS } from '@shuffle-dp/randomizers';
import { accountMechanism } from '../account/account.ts';
import { certifiedBracket } from '../account/certified-bounds.ts';
import { mechanismModel } from '../account/mechanisms.ts';
import type { ExperimentConfig } from '../config/schema.ts';
import { ConfigError } from '../documents/config-error.ts';
import type { Answer } from '../pool/answer.ts';
import { threadsFor, withPool, workforceOf, type Pool, type Workforce } from '../pool/pool.ts';
import { callOwnModules, CELL_TASKS, describeCell } from '../trials/cell-tasks.ts';
import type { CellDescription } from '../trials/cell-protocol.ts';
import type { Cell } from '../kinds/cell.ts';
import { planExperiment } from '../cells/plan-experiment.ts';
import { refuseWhatStaysHere } from '../run/run-cells.ts';
import { canonicalHash } from '../run-folder/canonical-json.ts';
import type { JournalEntry } from '../run-folder/journal.ts';
import type { FinishedWork } from '../run-folder/journalled-run.ts';
import { audit, type AuditClaim, type AuditResult, type AuditRow } from './audit.ts';
import { auditMemory, dropMemory } from './audit-memory.ts';
import { AUDIT_TASKS, performTarget, shapeOfTarget, type AuditTarget } from './audit-threads.ts';
import { MOST_MESSAGE_USERS, type AuditPath } from './audited-mechanism.ts';

export interface AuditOptions extends Workforce {
  readonly trials: number;
  readonly confidence: number;
  readonly deltas: readonly number[];
  readonly seed: string;
  /** By default messages for few users and trials. */
  readonly path?: AuditPath;
  /** A published bound whose claim is judged in place of what is certified. */
  readonly published?: string;
  /** Of a folder: reports that are there are not made again, and what is begun goes on. */
  readonly finished?: FinishedWork<AuditEntry>;
  readonly onProgress?: (done: number, total: number) => void;
}

/** A report that is in the journal, by the hash of all that it depends on. */
export interface AuditEntry extends JournalEntry {
  readonly report: AuditReport;
}

export interface AuditedRow extends AuditRow {
  readonly certified: Interval;
  /** What the published bound claims; absent where none was asked for, null where it says nothing. */
  readonly published?: number | null;
}

export interface AuditReport extends Omit<AuditResult, 'rows'> {
  /** The mechanism, or the protocol. */
  readonly name: string;
  readonly parameters: ParameterValues;
  readonly users: number;
  /** How views are made. */
  readonly path: AuditPath;
  readonly sees: 'messages' | 'estimates';
  readonly rows: readonly AuditedRow[];
}

/**
 * Messages that all trials of an audit may draw before others are only counted, where nothing is asked for.
 */
const USUAL_MESSAGES = 2e9;

/**
 * Holds a mechanism of the registry to its certified epsilon by trials of the mechanism itself.
 *
 * @param users at least 2
 * @throws ParameterError for a value out of range; UsageError for a parameter that is unknown or missing
 */
export async function auditMechanism(
  mechanism: string,
  given: ParameterValues,
  users: number,
  options: AuditOptions,
): Promise<AuditReport> {
  requireInteger('users', users, 2, 1e12);
  const { parameters } = mechanismModel(mechanism, given);
  const few = users <= MOST_MESSAGE_USERS && users * options.trials <= USUAL_MESSAGES;
  const path = options.path ?? (few ? 'messages' : 'aggregated');
  const target: AuditTarget = { mechanism: { mechanism, parameters, users, path } };
  const workers = threadsFor(options.workers, Infinity);
  const plan = planOf(target, options);
  const claims = (): Claim[] => mechanismClaims(mechanism, given, users, options);
  return madeOnce(plan, options, () =>
    withPool(AUDIT_TASKS, { ...workforceOf(options), workers, plan }, async (pool) => {
      const result = await auditTarget(pool, target, claims, options);
      return { name: mechanism, parameters, users, path, sees: 'messages', ...result };
    }),
  );
}

/** The report of the journal, or the one that is made and put there. */
async function madeOnce(
  name: string,
  { finished }: AuditOptions,
  make: () => Promise<AuditReport>,
): Promise<AuditReport> {
  const known = finished?.get(name);
  if (known) return known.report;
  const report = await make();
  finished?.add({ cell: name, report });
  if (finished) dropMemory(finished.checkpoints, name);
  return report;
}

interface Claim extends AuditClaim {
  readonly certified: Interval;
  readonly published?: number | null;
}

function mechanismClaims(
  mechanism: string,
  given: ParameterValues,
  users: number,
  { deltas, published }: AuditOptions,
): Claim[] {
  const model = mechanismModel(mechanism, given);
  let unstated = '';
  const claims = deltas.map((delta): Claim => {
    const certified = certifiedBracket(model, users, { delta });
    if (published === undefined) return { delta, certified, allowed: certified.upper };
    const account = accountMechanism(mechanism, given, users, { delta });
    const uppers = account.bounds.filter(({ direction }) => direction === 'upper');
    const bound = uppers.find(({ name }) => name === published);
    if (bound === undefined)
      throw new ParameterError('published', published, `one of ${uppers.map(({ name }) => name).join(', ')}`);
    const { value, reason = 'it has no value' } = bound;
    if (value === null) unstated = reason;
    return { delta, certified, published: value, allowed: value ?? Infinity };
  });
  if (published !== undefined && claims.every((claim) => claim.published === null))
    throw new ParameterError('published', published, `a bound that claims something here: ${unstated}`);
  return claims;
}

/**
 * All protocols of a config of categories or sets, one after the other, each at every number of users and
 * target.
 * @throws ConfigError, ParameterError
 */
export async function auditConfig(
  config: ExperimentConfig,
  configFile: string,
  options: AuditOptions,
): Promise<AuditReport[]> {
  const { cells } = planExperiment(config, configFile);
  const pooled = {
    ...workforceOf(options),
    workers: threadsFor(options.workers, Infinity),
    watched: callOwnModules(cells),
  };
  refuseWhatStaysHere(cells, configFile, options);
  if (cells.some(({ threats }) => threats !== undefined))
    throw new ConfigError(
      `${configFile}: threats: must be left out: an audit runs rounds in which all users are honest and take part`,
    );
  const reports: AuditReport[] = [];
  for (const cell of cells) {
    // Each takes all threads.
    /* oxlint-disable no-await-in-loop */
    const described = await withPool(CELL_TASKS, { ...pooled, plan: cell.id }, async (pool) =>
      valueOf(await pool.run(describeCell, cell), configFile),
    );
    const known = namedMechanism(cell, described);
    reports.push(
      known === null
        ? await auditCell(cell, described, configFile, options, pooled)
        : {
            ...(await auditMechanism(known.mechanism, known.parameters, cell.data.users, options)),
            name: described.name,
          },
    );
    /* oxlint-enable no-await-in-loop */
  }
  return reports;
}

/** Of a protocol that is one randomizer whose messages have stated masses. */
function namedMechanism(
  { spec, data }: Cell,
  { parameters }: CellDescription,
): { readonly mechanism: string; readonly parameters: ParameterValues } | null {
  const { epsilon0 } = parameters;
  if (spec.kind !== 'frequency' || typeof epsilon0 !== 'number') return null;
  const card = CATEGORY_RANDOMIZERS.find(({ name }) => name === spec.randomizer);
  if (!card?.parameters.some(({ name }) => name === 'domain')) return null;
  const options = card.options.flatMap(({ name }) => {
    const value = parameters[name] ?? spec[name];
    return typeof value === 'number' ? [[name, value] as const] : [];
  });
  return {
    mechanism: card.name,
    parameters: { epsilon0, domain: data.domain, ...Object.fromEntries(options) },
  };
}

async function auditCell(
  cell: Cell,
  { name, parameters, certified }: CellDescription,
  configFile: string,
  options: AuditOptions,
  pooled: Parameters<typeof withPool>[1],
): Promise<AuditReport> {
  const { users } = cell.data;
  const [statement] = certified;
  if (certified.length !== 1)
    throw new ConfigError(`${configFile}: ${name}: an audit takes protocols with one statement of privacy`);
  const numbers = Object.fromEntries(
    Object.entries(parameters).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
  /** What holds at a delta holds at larger ones. */
  const claims = (): Claim[] =>
    [...new Set([...options.deltas.filter((delta) => delta > cell.delta), cell.delta])].map((delta) => ({
      delta,
      certified: {
        lower: delta === cell.delta ? statement!.epsilon.lower : 0,
        upper: statement!.epsilon.upper,
      },
      allowed: statement!.epsilon.upper,
    }));
  const target: AuditTarget = { cell };
  const plan = planOf(target, options);
  return madeOnce(plan, options, async () => {
    const result = await withPool(AUDIT_TASKS, { ...pooled, plan }, (pool) =>
      auditTarget(pool, target, claims, options, configFile),
    );
    return { name, parameters: numbers, users, path: cell.data.simulation, sees: 'estimates', ...result };
  });
}

async function auditTarget(
  pool: Pool,
  target: AuditTarget,
  claimsOf: () => Claim[],
  options: AuditOptions,
  configFile?: string,
): Promise<Omit<AuditResult, 'rows'> & { readonly rows: readonly AuditedRow[] }> {
  const shape = valueOf(await pool.run(shapeOfTarget, target), configFile);
  const claims = claimsOf();
  const result = await audit(
    shape,
    {
      ...options,
      claims: claims.map(({ delta, allowed }) => ({ delta, allowed })),
      memory: options.finished && auditMemory(options.finished.checkpoints, planOf(target, options)),
    },
    {
      lanes: 2 * Math.max(1, pool.workers),
      run: async (task) => valueOf(await pool.run(performTarget, { target, task }), configFile),
    },
  );
  return {
    ...result,
    rows: result.rows.map((row, i) => {
      const { certified, published } = claims[i]!;
      return { ...row, certified, ...(published !== undefined && { published }) };
    }),
  };
}

/** @throws ConfigError, or ParameterError as it was told in the thread */
function valueOf<Value>(answer: Answer<Value>, configFile?: string): Value {
  if (!('refused' in answer)) return answer.value;
  throw new ConfigError(configFile === undefined ? answer.refused : `${configFile}: ${answer.refused}`);
}

function planOf(target: AuditTarget, { trials, confidence, deltas, seed, published }: AuditOptions): string {
  return canonicalHash({ target, trials, confidence, deltas, seed, published });
}
