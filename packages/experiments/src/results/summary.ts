/**
 * summary.json: the run in one document, provenance included; and config.resolved.json: what was run,
 * defaults filled in.
 */
import { picked } from '@shuffle-dp/core';
import { encodeNumbers } from '../run-folder/canonical-json.ts';
import { asList } from '../documents/fields.ts';
import type { CellResult, RunResult } from './run-result.ts';

/** @param options.truth false leaves out what is measured against the truth, and what theory expects of it */
export function summaryJson(run: RunResult, { truth = true } = {}): string {
  const { config, provenance, cells } = run;
  const document = {
    name: config.name,
    question: config.question ?? null,
    adjacency: run.adjacency,
    adjacencyInWords:
      'neighbouring data sets differ in the data of one user, whose data are replaced by any other',
    truth: run.truth,
    simulation: config.simulation,
    trials: config.trials,
    postprocess: config.postprocess,
    measure: run.measure,
    error: run.error,
    data: config.data,
    users: asList(config.users),
    ...(run.skippedUsers === undefined ? {} : { skippedUsers: run.skippedUsers }),
    ...(truth && run.dataNotes !== undefined ? { dataNotes: run.dataNotes } : {}),
    notForDeployment: 'seeded simulation',
    provenance,
    ...(run.refused === undefined ? {} : { refused: run.refused }),
    cells: cells.map((cell) => without(cell, truth ? DETAILS : [...DETAILS, ...AGAINST_TRUTH])),
  };
  return `${JSON.stringify(document, readableNumbers, 2)}\n`;
}

type Field = keyof CellResult;

/** What grows with trials and items, and the time. */
const DETAILS: readonly Field[] = ['squaredErrors', 'errors', 'answers', 'seconds'];

const OF_SQUARES: readonly Field[] = ['mse', 'mseInterval', 'mseTheory', 'msePopulation'];
const AGAINST_TRUTH: readonly Field[] = [...OF_SQUARES, 'error', 'choiceError', 'biasMaxAbs', 'quality'];

function without(cell: CellResult, left: readonly Field[]): Partial<CellResult> {
  return Object.fromEntries(Object.entries(cell).filter(([name]) => !left.includes(name as Field)));
}

export function resolvedConfigJson(run: RunResult): string {
  const document = {
    configHash: run.provenance.configHash,
    config: run.config,
    cells: run.cells.map((cell) => picked(cell, 'cell', 'kind', 'users', 'delta', 'sweep', 'dataKey')),
  };
  return `${JSON.stringify(document, encodeNumbers, 2)}\n`;
}

/** Infinity as a word: readers of a summary are people and scripts, not the program. */
function readableNumbers(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}
