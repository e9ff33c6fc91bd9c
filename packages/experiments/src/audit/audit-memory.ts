/** What a killed audit goes on from: the answers of its tasks, written again and again as they come. */
import { Pace, type Checkpoints } from '../run-folder/checkpoints.ts';
import type { AuditTask } from './audit-tasks.ts';

type Phase = AuditTask['purpose'];

export interface AuditMemory {
  /** By the number of the task. @throws JournalError where what was written is damaged */
  read(phase: Phase): ReadonlyMap<number, Float64Array>;
  /** All answers so far; some calls write them. @throws DiskError, OutputError */
  keep(phase: Phase, answers: ReadonlyMap<number, Float64Array>): void;
}

/** As a checkpoint holds them. */
interface KeptAnswers {
  readonly numbers: Float64Array;
  readonly lengths: Float64Array;
  /** One after the other. */
  readonly values: Float64Array;
}

const PHASES: readonly Phase[] = ['choice', 'judgement'];
/** More numbers than this are drawn again: 64 megabytes. */
const MOST_KEPT = 2 ** 23;

/** @param audit a name that no other audit of the folder has */
export function auditMemory(checkpoints: Checkpoints, audit: string): AuditMemory {
  const pace = new Pace();
  return {
    read(phase) {
      const kept = checkpoints.read(pieceOf(audit, phase)) as KeptAnswers | null;
      return kept === null ? new Map() : answersOf(kept);
    },
    keep(phase, answers) {
      if (!pace.isDue()) return;
      const size = [...answers.values()].reduce((sum, { length }) => sum + length, 0);
      if (size <= MOST_KEPT) pace.keep(() => checkpoints.write(pieceOf(audit, phase), keptOf(answers, size)));
    },
  };
}

/** When the audit's report is in the journal. */
export function dropMemory(checkpoints: Checkpoints, audit: string): void {
  for (const phase of PHASES) checkpoints.remove(pieceOf(audit, phase));
}

function pieceOf(audit: string, phase: Phase): string {
  return `${audit}-${phase}`;
}

function keptOf(answers: ReadonlyMap<number, Float64Array>, size: number): KeptAnswers {
  const values = new Float64Array(size);
  let at = 0;
  for (const answer of answers.values()) {
    values.set(answer, at);
    at += answer.length;
  }
  return {
    numbers: Float64Array.from(answers.keys()),
    lengths: Float64Array.from(answers.values(), ({ length }) => length),
    values,
  };
}

function answersOf({ numbers, lengths, values }: KeptAnswers): Map<number, Float64Array> {
  const answers = new Map<number, Float64Array>();
  let at = 0;
  numbers.forEach((number, i) => answers.set(number, values.subarray(at, (at += lengths[i]!))));
  return answers;
}
