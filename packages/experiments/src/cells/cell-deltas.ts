/**
 * The failure probabilities of a cell: of all users, and of each level of sets where levels have their own.
 */
import { refusal, type ConfigPath } from '../documents/config-error.ts';
import { parseExpression, type ExpressionVariables } from '../documents/expression.ts';
import type { ExperimentConfig } from '../config/schema.ts';

interface CellDeltas {
  /** The least of all, which serves every level. */
  readonly delta: number;
  /** In the order of the levels; absent where all have one. */
  readonly deltas?: readonly number[];
}

/** @throws ConfigError for an expression whose value is no probability */
export function cellDeltas(
  config: ExperimentConfig,
  variables: ExpressionVariables,
  configFile: string,
): CellDeltas {
  const deltas = levelDeltas(config, variables, configFile);
  if (deltas !== null) return { delta: Math.min(...deltas), deltas };
  return { delta: evaluateDelta(config.privacy.delta, ['privacy', 'delta'], variables, configFile) };
}

/** One for each level of sets; null where no level has its own. */
function levelDeltas(
  { privacy: { levels = [], delta } }: ExperimentConfig,
  variables: ExpressionVariables,
  configFile: string,
): readonly number[] | null {
  if (levels.every((level) => typeof level === 'number' || level.delta === undefined)) return null;
  return levels.map((level, k) =>
    typeof level === 'number' || level.delta === undefined
      ? evaluateDelta(delta, ['privacy', 'delta'], variables, configFile)
      : evaluateDelta(level.delta, ['privacy', 'levels', k, 'delta'], variables, configFile),
  );
}

function evaluateDelta(
  delta: number | string,
  path: ConfigPath,
  variables: ExpressionVariables,
  configFile: string,
): number {
  if (typeof delta === 'number') return delta;
  const value = parseExpression(delta)(variables);
  if (!(value > 0 && value < 1)) {
    const { n, d, s } = variables;
    throw refusal(configFile, path, delta, `in (0, 1); it is ${value} at n = ${n}, d = ${d}, s = ${s}`);
  }
  return value;
}
