/**
 * A part of the candidates of a plan: each thread takes the next one that nobody has taken, those that take
 * long first.
 */
import { assess, type Excluded, type PlannedProtocol } from './assess.ts';
import { candidates, type Candidate } from './candidates.ts';
import type { PlanSetting } from './plan-setting.ts';

/** What threads of one plan have in common. */
export interface PlanShare {
  readonly setting: PlanSetting;
  /** One integer in shared memory: how many candidates have been taken. */
  readonly taken: Int32Array;
}

export interface Assessed {
  /** Among the task's candidates. */
  readonly index: number;
  readonly outcome: PlannedProtocol | Excluded;
}

/** What is being assessed, and how many of all have been begun. */
export type OnAssess = (title: string, begun: number, all: number) => void;

/** Assesses candidates until none is left to take. */
export function assessShare({ setting, taken }: PlanShare, onAssess: OnAssess = () => {}): Assessed[] {
  const among = candidates(setting.task);
  const order = among
    .map((candidate, index) => ({ index, work: usualWork(candidate) }))
    .toSorted((a, b) => b.work - a.work);
  const assessed: Assessed[] = [];
  for (;;) {
    const begun = Atomics.add(taken, 0, 1);
    const next = order[begun];
    if (next === undefined) return assessed;
    const candidate = among[next.index]!;
    onAssess(candidate.title, begun + 1, among.length);
    assessed.push({ index: next.index, outcome: assess(candidate, setting) });
  }
}

/** Milliseconds of those that take more than a tenth of a second, about: only their order counts. */
const USUAL_WORK: Readonly<Record<string, number>> = {
  'clip-laplace-vector': 900,
  'hashed-bits': 700,
  'mean gaussian': 790,
  segmented: 500,
  'mean laplace': 470,
  'mean clip-laplace': 460,
  'mean duchi': 800,
  'mean piecewise': 250,
  'mix-dump': 360,
  'prefix-tree': 350,
  'vector-mean': 270,
  collision: 600,
  wheel: 800,
  'range-queries': 500,
  'subexp-shuffled': 210,
  'priv-unit': 160,
  'frequency binary-rr': 400,
  'frequency subset': 200,
  'frequency oue': 200,
  'frequency hadamard': 200,
  'frequency grr': 150,
  'negative-binomial-counts': 130,
};

function usualWork({ variants }: Candidate): number {
  const [spec] = variants;
  const randomizer = spec && 'randomizer' in spec ? ` ${spec.randomizer}` : '';
  return USUAL_WORK[`${spec?.kind}${randomizer}`] ?? USUAL_WORK[`${spec?.kind}`] ?? 0;
}
