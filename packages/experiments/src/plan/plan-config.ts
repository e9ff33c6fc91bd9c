/** A plan's choice as a config that verifies it by trials. */
import { MAY_STAY_AWAY } from '../config/stay-away.ts';
import type { Holding } from '../data/data-set-card.ts';
import { bitsOf, topOf, type PlanSetting, type PlanTask } from './plan-setting.ts';
import type { Plan } from './plan.ts';
import { differentIdentifiers, ZIPF_EXPONENT } from './simulated-error.ts';

/** The best protocol and the three behind it, on even data, as `compare` runs them. */
const COMPARED = 4;
const TRIALS = 100;
/** Of searches, which draw many identifiers. */
const SEARCH_TRIALS = 20;

/**
 * A config that runs a plan's choice, so that trials verify its error.
 *
 * @returns the config as plain data, to be written as YAML or JSON
 */
export function planConfig({ setting, rows }: Plan, name: string): Readonly<Record<string, unknown>> {
  const { task, users, epsilon, delta, threats } = setting;
  const compared = rows.slice(0, COMPARED);
  const search = task === 'heavy-hitters';
  return {
    name,
    question: `Does ${rows[0]!.protocol} err as little as planned?`,
    seed: name,
    adjacency: 'replace-one',
    trials: search ? SEARCH_TRIALS : TRIALS,
    simulation: compared.every(({ paths }) => paths.includes('aggregated')) ? 'aggregated' : 'messages',
    ...(MEASURED.includes(task) ? { measure: task } : {}),
    ...(search ? { top: topOf(setting) } : {}),
    data: dataOf(setting),
    users,
    privacy: {
      ...(task === 'sets' ? { levels: [epsilon], shares: [1] } : { epsilon }),
      delta,
      // Only then are parameters chosen for the honest who take part.
      ...(threats && { accounting: 'certified' }),
    },
    ...(threats && { threats }),
    // Searches have one name, whatever their rounds are made by.
    protocols: compared.map(({ spec, protocol }) => (search ? { ...spec, label: protocol } : spec)),
  };
}

const HOLDINGS = {
  frequencies: 'categories',
  ranges: 'categories',
  mean: 'numbers',
  sum: 'numbers',
  sets: 'sets',
  'vector-mean': 'vectors',
  'heavy-hitters': 'identifiers',
} as const satisfies Record<PlanTask, Holding>;

/**
 * Whether trials can have users who stay away, as `planConfig` writes of a setting with dropout.
 *
 * @example mayStayAway('sets') // false
 */
export function mayStayAway(task: PlanTask): boolean {
  return MAY_STAY_AWAY.includes(HOLDINGS[task]);
}

/** Tasks whose data may be measured in several ways. */
const MEASURED: readonly PlanTask[] = ['ranges', 'mean', 'sum'];

function dataOf({ task, domain, items }: PlanSetting): object {
  if (task === 'mean' || task === 'sum') return { kind: 'numbers-uniform', low: 0, high: 1 };
  if (task === 'sets') return { kind: 'sets-uniform', domain, items };
  if (task === 'vector-mean') return { kind: 'vectors-sphere', dimensions: domain, concentration: 0 };
  if (task !== 'heavy-hitters') return { kind: 'categories-uniform', domain };
  const bits = bitsOf(domain!);
  return { kind: 'identifiers-zipf', bits, different: differentIdentifiers(bits), exponent: ZIPF_EXPONENT };
}
