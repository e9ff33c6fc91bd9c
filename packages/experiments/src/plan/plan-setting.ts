/** What is asked of a plan: users with data of one kind, a target, and limits. */
import {
  ParameterError,
  requireInteger,
  requireOneOf,
  requireOpenUnit,
  requirePositive,
  requireShare,
  TRUST,
  type Trust,
} from '@shuffle-dp/core';
import { MOST_BITS, MOST_SOUGHT, requireTargetEpsilon } from '@shuffle-dp/protocols';
import { MOST_USERS } from '../account/mechanism-parameters.ts';
import { LIMITS } from '../documents/limits.ts';
import { threatsToPrivacy, type CellThreats } from '../kinds/threats.ts';

export const PLAN_TASKS = [
  'frequencies',
  'ranges',
  'mean',
  'sum',
  'sets',
  'vector-mean',
  'heavy-hitters',
] as const;

export type PlanTask = (typeof PLAN_TASKS)[number];

export interface PlanLimits {
  /** Messages of a user on average. */
  readonly messages?: number | undefined;
  /** Bits of a user on average. */
  readonly bits?: number | undefined;
  /**
   * Whom the users trust; 'augmented' allows a shuffler that drops and adds messages besides. Default
   * 'shuffler'.
   */
  readonly trust?: Trust;
}

/** As of a config. */
export type PlanThreats = Pick<CellThreats, 'colluding' | 'dropout'>;

export interface PlanSetting {
  readonly task: PlanTask;
  readonly users: number;
  /** Number of categories, items or possible identifiers; of vectors, the dimensions. */
  readonly domain?: number | undefined;
  /** Items of a user, for sets. */
  readonly items?: number | undefined;
  /** Heavy hitters that are looked for; default 16. */
  readonly top?: number | undefined;
  /** Central target in nats. */
  readonly epsilon: number;
  readonly delta: number;
  readonly limits?: PlanLimits;
  /**
   * Users who collude or stay away: privacy is that of the honest who take part, and errors are those of
   * users who all do.
   */
  readonly threats?: PlanThreats | undefined;
}

const DEFAULT_TOP = 16;

/** Identifiers that a search looks for: as asked, or 16 of those that there are. */
export function topOf({ top, domain }: Pick<PlanSetting, 'top' | 'domain'>): number {
  return top ?? Math.min(DEFAULT_TOP, domain ?? Infinity);
}

/** The largest domains: identifiers of 48 bits, and vectors of 65,536 dimensions. */
const MOST_IDENTIFIERS = 2 ** MOST_BITS;
const MOST_DIMENSIONS = 2 ** 16;

/** Bits of identifiers of a domain. */
export function bitsOf(domain: number): number {
  return Math.ceil(Math.log2(domain));
}

/** What the number `domain` is of each task that takes one. */
const DOMAINS: Readonly<Partial<Record<PlanTask, string>>> = {
  frequencies: 'the number of categories',
  ranges: 'the number of categories',
  sets: 'the number of items',
  'vector-mean': 'the dimensions',
  'heavy-hitters': 'the number of possible identifiers',
};

/** What its domain is; undefined for tasks that have none. */
export function domainMeaning(task: PlanTask): string | undefined {
  return DOMAINS[task];
}

/**
 * @throws ParameterError for a value out of range, one that is missing, and one that the task does not take
 */
export function checkPlanSetting(setting: PlanSetting): PlanSetting {
  const { task, users, domain, items, top, epsilon, delta, limits = {} } = setting;
  if (limits.messages !== undefined) requirePositive('limits.messages', limits.messages);
  if (limits.bits !== undefined) requirePositive('limits.bits', limits.bits);
  if (limits.trust !== undefined) requireOneOf('limits.trust', limits.trust, TRUST);
  requireInteger('users', users, 2, MOST_USERS);
  requireTargetEpsilon('epsilon', epsilon);
  requireOpenUnit('delta', delta);
  for (const name of ['colluding', 'dropout'] as const) {
    const share = setting.threats?.[name] ?? 0;
    requireShare(name, share);
    if (share > 0 && task === 'heavy-hitters')
      throw new ParameterError(
        name,
        share,
        `left out for the task ${task}: no privacy is proved for searches with such users`,
      );
  }
  if (setting.threats) threatsToPrivacy(users, setting.threats);
  const meaning = DOMAINS[task];
  if (meaning === undefined && domain !== undefined)
    throw new ParameterError('domain', domain, `left out for the task ${task}`);
  if (meaning !== undefined && domain === undefined)
    throw new ParameterError('domain', 'nothing', `given for the task ${task}: ${meaning}`);
  if (domain !== undefined) requireInteger('domain', domain, 2, mostOf(task));
  if (task !== 'sets' && items !== undefined)
    throw new ParameterError('items', items, `left out for the task ${task}`);
  if (task !== 'heavy-hitters' && top !== undefined)
    throw new ParameterError('top', top, `left out for the task ${task}`);
  if (top !== undefined) requireInteger('top', top, 1, Math.min(domain!, MOST_SOUGHT));
  if (task !== 'sets') return setting;
  if (items === undefined)
    throw new ParameterError('items', 'nothing', 'given for the task sets: the items of a user');
  requireInteger('items', items, 1, domain! - 1);
  return setting;
}

function mostOf(task: PlanTask): number {
  if (task === 'heavy-hitters') return MOST_IDENTIFIERS;
  if (task === 'vector-mean') return MOST_DIMENSIONS;
  // Of a config that runs it.
  return task === 'sets' ? LIMITS.setDomain.most : LIMITS.domain.most;
}
