/**
 * Parallel composition: every user draws one query k with a public probability w_k and answers that one, with
 * its local randomizer and the whole budget (Wang et al., "Privacy Amplification via Shuffling: Unified,
 * Simplified, and Tightened", PVLDB 17(8), 2024, section 6). A message tells its query, so the outputs of
 * different queries are disjoint and everything that formula F1 (docs/soundness.md) needs is a mixture: the
 * atoms of the whole are those of the queries with masses times w_k, and the pointwise infimum over inputs is
 * w_k times that of the query.
 *
 * Where we differ: the paper's Theorem 6.1 mixes the total variations only and evaluates its pair (published
 * as `parallel-advanced`); here the blankets themselves are mixed, which is sound and the best a blanket
 * gives.
 */
import {
  ParameterError,
  requirePositive,
  type AmplificationProfile,
  type LikelihoodAtoms,
  type VariationRatio,
} from '@shuffle-dp/core';

/** One query of a parallel composition. */
export interface ParallelQuery {
  /** Probability that a user answers this query, in (0, 1]; those of all queries sum to 1. */
  readonly probability: number;
  readonly amplification: AmplificationProfile;
}

/** Part of a mixture: the atoms of one query for the victim's pair of inputs. */
export interface WeightedAtoms {
  readonly probability: number;
  readonly atoms: LikelihoodAtoms;
}

/** More combinations of the queries' blanket entries than this are refused. */
const MOST_COMBINATIONS = 1000;

/**
 * The profile of the whole, for the certified accountants.
 *
 * `blanket`: an upper bound for every data set. Each victim's pair of inputs is taken to show, in every
 * query, the worst of that query's entries, all combinations of entries included; a pair that one query maps
 * to the same input is dominated by these (see `requireSymmetric`). Tight where one pair of inputs is the
 * worst in all queries.
 *
 * `homogeneous`: lower bounds, one for each member of `dataSets`, which lists the atoms that one and the same
 * data set (one pair of victim inputs, one input of all others) gives in each query, in the order of the
 * queries. Only the caller knows which of the queries' own entries belong together, so none are made up here.
 *
 * `variationRatio`: the parameters of Theorem 6.1, p and q the largest of the queries' and beta their mean;
 * null where one query has none.
 * @throws ParameterError for probabilities that do not sum to 1, a blanket entry that is not symmetric, a
 * data set without one entry per query, or more than 1000 combinations of blanket entries.
 */
export function parallelProfile(
  queries: readonly ParallelQuery[],
  dataSets: readonly (readonly LikelihoodAtoms[])[] = [],
): AmplificationProfile {
  requireProbabilities(queries);
  for (const { amplification } of queries) amplification.blanket.forEach(requireSymmetric);
  return {
    variationRatio: meanVariationRatio(queries),
    blanket: combinations(queries.map(({ amplification }) => amplification.blanket)).map((entries) =>
      mixtureAtoms('worst inputs of every query', weighted(queries, entries)),
    ),
    homogeneous: dataSets.map((entries, i) => {
      if (entries.length !== queries.length) {
        throw new ParameterError(
          `dataSets[${i}]`,
          `${entries.length} entries`,
          `${queries.length} entries, one per query`,
        );
      }
      return mixtureAtoms(entries[0]!.label, weighted(queries, entries));
    }),
  };
}

/**
 * The atoms of a mixture with disjoint outputs: the union of the parts', masses times their probabilities.
 * Exact for the pair of inputs that the parts share, and as sound a bound as the least sound part.
 */
export function mixtureAtoms(label: string, parts: readonly WeightedAtoms[]): LikelihoodAtoms {
  const mixed = (column: (atoms: LikelihoodAtoms) => Float64Array): Float64Array =>
    Float64Array.from(
      parts.flatMap(({ probability, atoms }) => Array.from(column(atoms), (x) => x * probability)),
    );
  const joined = (column: (atoms: LikelihoodAtoms) => Float64Array): Float64Array =>
    Float64Array.from(parts.flatMap(({ atoms }) => Array.from(column(atoms))));
  const points = { victim0: mixed((atoms) => atoms.victim0), victim1: mixed((atoms) => atoms.victim1) };
  return Object.freeze({
    label,
    ...points,
    others: mixed((atoms) => atoms.others),
    symmetric: parts.every(({ atoms }) => atoms.symmetric),
    ...(parts.some(({ atoms }) => atoms.cellEnds) && {
      cellEnds: {
        ratio0Start: joined((atoms) => atoms.cellEnds?.ratio0Start ?? ratio(atoms.victim0, atoms.others)),
        ratio0End: joined((atoms) => atoms.cellEnds?.ratio0End ?? ratio(atoms.victim0, atoms.others)),
        ratio1Start: joined((atoms) => atoms.cellEnds?.ratio1Start ?? ratio(atoms.victim1, atoms.others)),
        ratio1End: joined((atoms) => atoms.cellEnds?.ratio1End ?? ratio(atoms.victim1, atoms.others)),
      },
    }),
  });
}

/** A point is a cell whose ratio is the same at both ends. */
function ratio(victim: Float64Array, others: Float64Array): Float64Array {
  return victim.map((mass, y) => mass / others[y]!);
}

/** @throws ParameterError unless there are queries, with positive probabilities that sum to 1. */
export function requireProbabilities(queries: readonly ParallelQuery[]): void {
  if (queries.length === 0) throw new ParameterError('queries', '[]', 'a list of at least one query');
  let sum = 0;
  queries.forEach(({ probability }, k) => {
    sum += requirePositive(`queries[${k}].probability`, probability);
  });
  if (!(Math.abs(sum - 1) <= 1e-9)) throw new ParameterError('the sum of probabilities', sum, '1');
}

/**
 * Symmetric entries stand for two more cases. The victim's inputs may come in either order. And they may
 * coincide in this query: with (u, v) = (P, Q)/W exchangeable under W, the losses u - e^eps v and v - e^eps u
 * have the sum of u - e^eps u and v - e^eps v and lie further apart, so that the entry's loss dominates in
 * the convex order.
 */
function requireSymmetric({ symmetric, label }: LikelihoodAtoms): void {
  if (!symmetric) throw new ParameterError('blanket atoms', label, 'symmetric in the inputs of the victim');
}

function meanVariationRatio(queries: readonly ParallelQuery[]): VariationRatio | null {
  let p = 1;
  let q = 1;
  let beta = 0;
  for (const { probability, amplification } of queries) {
    const { variationRatio } = amplification;
    if (variationRatio === null) return null;
    p = Math.max(p, variationRatio.p);
    q = Math.max(q, variationRatio.q);
    beta += probability * variationRatio.beta;
  }
  return { p, beta, q };
}

function weighted(
  queries: readonly ParallelQuery[],
  entries: readonly LikelihoodAtoms[],
): readonly WeightedAtoms[] {
  return queries.map(({ probability }, k) => ({ probability, atoms: entries[k]! }));
}

/** All ways to take one entry of each list. */
function combinations(
  lists: readonly (readonly LikelihoodAtoms[])[],
): readonly (readonly LikelihoodAtoms[])[] {
  const count = lists.reduce((product, { length }) => product * length, 1);
  if (count > MOST_COMBINATIONS) {
    throw new ParameterError('combinations of blanket atoms', count, `at most ${MOST_COMBINATIONS}`);
  }
  return lists.reduce<readonly (readonly LikelihoodAtoms[])[]>(
    (begun, list) => begun.flatMap((entries) => list.map((entry) => [...entries, entry])),
    [[]],
  );
}
