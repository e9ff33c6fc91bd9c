/** Which functions may be performed elsewhere, by name: what comes from a queue names one of these and nothing else. */
import { counted } from './words/counted.ts';
import { AUDIT_TASKS, performTarget, shapeOfTarget, type TargetTask } from './audit/audit-threads.ts';
import { performNamedTraining, TRAINING_TASKS, type NamedTrainingTask } from './federated/training-task.ts';
import type { Cell } from './kinds/cell.ts';
import { CELL_TASKS, describeCell, runTrials, type TrialsTask } from './run/cell-tasks.ts';

export interface TaskModule {
  /** Of the module, on this machine. */
  readonly url: string;
  /** By the name of the function: what a task is, in few words. */
  readonly tasks: Readonly<Record<string, (task: never) => string>>;
}

export const TASK_MODULES: Readonly<Record<string, TaskModule>> = {
  cells: {
    url: CELL_TASKS,
    tasks: {
      [describeCell.name]: ({ id }: Cell) => `account of cell ${id}`,
      [runTrials.name]: ({ cells, from, to }: TrialsTask) =>
        `trials ${from + 1} to ${to} of ${cells.length === 1 ? `cell ${cells[0]!.id}` : `${counted(cells.length, 'cell')} from ${cells[0]!.id}`}`,
    },
  },
  trainings: {
    url: TRAINING_TASKS,
    tasks: {
      [performNamedTraining.name]: ({ spec, trial, begun }: NamedTrainingTask) =>
        `training of ${spec.kind}, trial ${trial + 1}, from round ${1 + (begun?.accuracies.length ?? 0)}`,
    },
  },
  audits: {
    url: AUDIT_TASKS,
    tasks: {
      [shapeOfTarget.name]: () => 'shape of an audit',
      [performTarget.name]: ({ task }: TargetTask) =>
        `trials to audit (${task.purpose}, world ${task.world}, part ${task.chunk})`,
    },
  },
};
