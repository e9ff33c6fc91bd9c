/** What the threads of an audit do. A target is plain data; its views are made once in each thread. */
import { keptByKey, picked } from '@shuffle-dp/core';
import { awaitedAnswerOf, type Answer } from '../pool/answer.ts';
import { prepareToRun } from '../trials/cell-tasks.ts';
import type { Cell } from '../kinds/cell.ts';
import { canonicalJson } from '../run-folder/canonical-json.ts';
import type { SourceShape } from './audit.ts';
import { performTrials, type AuditTask } from './audit-tasks.ts';
import { mechanismViews, type AuditedMechanism } from './audited-mechanism.ts';
import { estimateViews } from './estimate-views.ts';
import type { ViewSource } from './views.ts';

/** A mechanism by name, or the protocol of a cell. */
export type AuditTarget = { readonly mechanism: AuditedMechanism } | { readonly cell: Cell };

/** The module of these tasks, for a pool. */
export const AUDIT_TASKS = import.meta.url;

/** Tables of a target may take 24 MB, and an audit goes through targets one by one. */
const views = keptByKey<ViewSource>(2);

async function viewsOf(target: AuditTarget): Promise<ViewSource> {
  if ('cell' in target) await prepareToRun(target.cell);
  return views(canonicalJson(target), () =>
    'cell' in target ? estimateViews(target.cell) : mechanismViews(target.mechanism),
  );
}

export function shapeOfTarget(target: AuditTarget): Promise<Answer<SourceShape>> {
  return awaitedAnswerOf(async () => {
    return picked(await viewsOf(target), 'dataSets', 'pairs', 'scores', 'hasRatio', 'trialsAtOnce');
  });
}

export interface TargetTask {
  readonly target: AuditTarget;
  readonly task: AuditTask;
}

export function performTarget({ target, task }: TargetTask): Promise<Answer<Float64Array>> {
  return awaitedAnswerOf(async () => performTrials(await viewsOf(target), task));
}
