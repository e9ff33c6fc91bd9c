/**
 * Which functions may be performed elsewhere, by name: what comes from a queue names one of these and nothing
 * else.
 */
import { counted } from './words/counted.ts';
import { AUDIT_TASKS, performTarget, shapeOfTarget, type TargetTask } from './audit/audit-threads.ts';
import { performNamedTraining, TRAINING_TASKS, type NamedTrainingTask } from './federated/training-task.ts';
import { FOREST_TASKS, learnForest, settleForest, type ForestSource } from './forest/forest-tasks.ts';
import type { Cell } from './kinds/cell.ts';
import type { PointTask, TrialTask } from './message-sweep/message-sweep.ts';
import { CELL_TASKS, describeCell, runTrials, type TrialsTask } from './trials/cell-tasks.ts';
import {
  learnUnsupervised,
  settleRounds,
  UNSUPERVISED_TASKS,
  type UnsupervisedSource,
} from './unsupervised/unsupervised-tasks.ts';

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
  forests: {
    url: FOREST_TASKS,
    tasks: {
      [settleForest.name]: (task: PointTask<ForestSource>) => pointLabel(task),
      [learnForest.name]: (task: TrialTask<ForestSource>) => `forest of ${trialLabel(task)}`,
    },
  },
  unsupervised: {
    url: UNSUPERVISED_TASKS,
    tasks: {
      [settleRounds.name]: (task: PointTask<UnsupervisedSource>) => pointLabel(task),
      [learnUnsupervised.name]: (task: TrialTask<UnsupervisedSource>) =>
        `${task.source.config.method.kind} of ${trialLabel(task)}`,
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

function pointLabel({ asked: { messagesPerUser, epsilon } }: PointTask<unknown>): string {
  return messagesPerUser === undefined
    ? `messages that meet epsilon ${epsilon}`
    : `account of ${messagesPerUser} messages`;
}

function trialLabel({ messagesPerUser, trial }: TrialTask<unknown>): string {
  return `${counted(messagesPerUser, 'message')}, trial ${trial + 1}`;
}
