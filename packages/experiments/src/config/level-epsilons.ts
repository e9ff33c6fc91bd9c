/** What levels of privacy ask for. Apart from the schema, which takes a thread of trials long to build. */
import type { ExperimentConfig } from './schema.ts';

type Levels = NonNullable<ExperimentConfig['privacy']['levels']>;

/** The central epsilons of levels, in nats. */
export function levelEpsilons(levels: Levels): readonly number[] {
  return levels.map((entry) => (typeof entry === 'number' ? entry : entry.epsilon));
}
