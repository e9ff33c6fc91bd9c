/** A plan's choice as a config that verifies it by trials. */
import type { Plan } from './plan.ts';

/** The best protocol and the three behind it, on even data, as `compare` runs them. */
const COMPARED = 4;
const TRIALS = 100;

/**
 * A config that runs a plan's choice, so that trials verify its error.
 *
 * @returns the config as plain data, to be written as YAML or JSON
 */
export function planConfig({ setting, rows }: Plan, name: string): Readonly<Record<string, unknown>> {
  const { task, users, domain, items, epsilon, delta } = setting;
  const compared = rows.slice(0, COMPARED);
  const numbers = task === 'mean' || task === 'sum';
  return {
    name,
    question: `Does ${rows[0]!.protocol} err as little as planned?`,
    seed: name,
    adjacency: 'replace-one',
    trials: TRIALS,
    simulation: compared.every(({ paths }) => paths.includes('aggregated')) ? 'aggregated' : 'messages',
    ...(task === 'ranges' || numbers ? { measure: task } : {}),
    data: numbers
      ? { kind: 'numbers-uniform', low: 0, high: 1 }
      : task === 'sets'
        ? { kind: 'sets-uniform', domain, items }
        : { kind: 'categories-uniform', domain },
    users,
    privacy: task === 'sets' ? { levels: [epsilon], shares: [1], delta } : { epsilon, delta },
    protocols: compared.map(({ spec }) => spec),
  };
}
