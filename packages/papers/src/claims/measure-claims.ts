/** Measures claims one by one, each kept in a journal at once, so that a stopped run goes on. */
import { errorCode, keptByKey } from '@shuffle-dp/core';
import { join } from 'node:path';
import type { ResultTable } from '../figures/figure-table.ts';
import { inTurn } from '../figures/in-turn.ts';
import type { Figure } from '../figures/figure.ts';
import {
  canonicalHash,
  codeVersion,
  type FinishedWork,
  type JournalEntry,
  journalledRun,
  makeFolder,
  provenanceOf,
} from '@shuffle-dp/experiments/run-folder';
import { workforceOf, type Workforce } from '@shuffle-dp/experiments/pool';
import type { Claim, ClaimContext, FigureSetting, Finding } from './claim.ts';
import { ledgerOf, type Ledger } from './ledger.ts';
import { CLAIMS } from './registry.ts';
import { writeLedger } from './write-ledger.ts';

export interface MeasureOptions extends Workforce {
  readonly out: string;
  /** Measure again what the folder holds already. */
  readonly force?: boolean | undefined;
  /** One line of what is being done. */
  readonly report: (line: string) => void;
}

interface ClaimRecord extends JournalEntry {
  readonly finding: Finding;
}

interface Measured {
  readonly asked: Ledger;
  /** With what the folder held before. */
  readonly whole: Ledger;
}

/**
 * Findings of these claims, in their order. Those that `out` holds from the same version of the code are not
 * measured again; with all of those they are written there, as claims.json and claims.md.
 * @throws OutputError, LockedError
 */
export async function measureClaims(claims: readonly Claim[], options: MeasureOptions): Promise<Ledger> {
  const provenance = provenanceOf(
    canonicalHash({ claims: CLAIMS.map(({ id }) => id), codeVersion: codeVersion() }),
    '',
    'shuffle-dp claims',
  );
  const force = options.force ?? false;
  const { asked } = await journalledRun<ClaimRecord, Measured>(
    provenance,
    { out: options.out, resume: !force, force, write: ({ whole }, folder) => writeLedger(whole, folder) },
    (finished) => measureEach(claims, options, finished),
  );
  return asked;
}

async function measureEach(
  claims: readonly Claim[],
  options: MeasureOptions,
  finished: FinishedWork<ClaimRecord>,
): Promise<Measured> {
  // The first failure ends what goes on beside it.
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, ...(options.signal ? [options.signal] : [])]);
  const context = contextOf({ ...options, signal });
  const findings = new Map<Claim, Finding>();
  const measure = async (claim: Claim): Promise<void> => {
    const known = finished.get(claim.id);
    const start = performance.now();
    const finding = known?.finding ?? (await findingOf(claim, context));
    // What could not be run may be possible the next time.
    if (!known && finding.verdict !== 'not-run') finished.add({ cell: claim.id, finding } as ClaimRecord);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    findings.set(claim, finding);
    const place = `${findings.size}/${claims.length}`;
    options.report(`${place} ${claim.id}: ${finding.verdict} (${known ? 'kept' : `${seconds} s`})`);
  };
  const lane = async (company: Claim['company']): Promise<void> => {
    const together = claims.filter((claim) => claim.company === company);
    await inTurn(together, context, measure).catch((error: unknown) => ending.abort(error));
  };
  await lane('alone');
  await Promise.all([lane('threads'), lane(undefined)]);
  signal.throwIfAborted();
  const asked = new Map(claims.map((claim) => [claim.id, claim]));
  const listed = new Map([...CLAIMS.map((claim) => [claim.id, claim] as const), ...asked]);
  const ofAll = [...listed.values()].flatMap((claim) => {
    const finding = findings.get(claim) ?? finished.get(claim.id)?.finding;
    return finding ? [[claim, finding] as const] : [];
  });
  return {
    asked: ledgerOf(new Map(claims.map((claim) => [claim, findings.get(claim)!]))),
    whole: ledgerOf(new Map(ofAll)),
  };
}

async function findingOf(claim: Claim, context: ClaimContext): Promise<Finding> {
  try {
    return await claim.measure(context);
  } catch (error) {
    // Data that are not installed are no fault of the claim; anything else is a fault of the program.
    if (errorCode(error) !== 'bad-data') throw error;
    return {
      verdict: 'not-run',
      measured: 'Nothing.',
      note: (error as Error).message,
      evidence: { columns: [], rows: [] },
    };
  }
}

function contextOf({ out, report, ...options }: MeasureOptions): ClaimContext {
  const tables = keptByKey<Promise<ResultTable>>();
  const common = workforceOf(options);
  return {
    ...common,
    folder: join(out, 'figures'),
    figureTable<Column extends string>(figure: Figure<Column>, setting: FigureSetting) {
      const name = `${figure.id}-${setting}`;
      const table = tables(name, () => {
        const folder = join(out, 'figures', name);
        makeFolder(folder);
        return figure
          .make({ ...common, folder, quick: setting === 'quick', onlyJudged: setting === 'judged', report })
          .then((result) => result.table);
      });
      // It was made by the figure of this name, which has these columns.
      return table as Promise<ResultTable<Column>>;
    },
  };
}
