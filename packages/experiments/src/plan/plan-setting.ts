/** What is asked of a plan: users with data of one kind, a target, and limits. */
import { ParameterError, requireInteger, requirePositive, type Trust } from '@shuffle-dp/core';
import { MOST_USERS } from '../account/mechanism-parameters.ts';

export const PLAN_TASKS = ['frequencies', 'ranges', 'mean', 'sum', 'sets'] as const;

export type PlanTask = (typeof PLAN_TASKS)[number];

export interface PlanLimits {
  /** Messages of a user on average. */
  readonly messages?: number;
  /** Bits of a user on average. */
  readonly bits?: number;
  /** Whom the users trust; 'augmented' allows a shuffler that drops and adds messages besides. Default 'shuffler'. */
  readonly trust?: Trust;
}

export interface PlanSetting {
  readonly task: PlanTask;
  readonly users: number;
  /** Number of categories or items. */
  readonly domain?: number;
  /** Items of a user, for sets. */
  readonly items?: number;
  /** Central target in nats. */
  readonly epsilon: number;
  readonly delta: number;
  readonly limits?: PlanLimits;
}

/** @throws ParameterError for a value out of range, one that is missing, and one that the task does not take */
export function checkPlanSetting(setting: PlanSetting): PlanSetting {
  const { task, users, domain, items, epsilon, delta } = setting;
  requireInteger('users', users, 2, MOST_USERS);
  requirePositive('epsilon', epsilon);
  if (!(delta > 0 && delta < 1)) throw new ParameterError('delta', delta, 'in (0, 1)');
  const numbers = task === 'mean' || task === 'sum';
  if (numbers && domain !== undefined)
    throw new ParameterError('domain', domain, `left out for the task ${task}`);
  if (!numbers && domain === undefined)
    throw new ParameterError('domain', 'nothing', `given for the task ${task}: the number of categories`);
  if (domain !== undefined) requireInteger('domain', domain, 2);
  if (task !== 'sets' && items !== undefined)
    throw new ParameterError('items', items, `left out for the task ${task}`);
  if (task !== 'sets') return setting;
  if (items === undefined)
    throw new ParameterError('items', 'nothing', 'given for the task sets: the items of a user');
  requireInteger('items', items, 1, domain! - 1);
  return setting;
}
