/**
 * Heavy hitters by a tree of prefixes: round by round the most frequent prefixes are kept and asked for with
 * some bits more. Each user takes part in one round, drawn by lot (T. Wang, N. Li, S. Jha, "Locally
 * Differentially Private Heavy Hitter Identification", IEEE TDSC 2021), or in all, at a share of the budget.
 * The rounds are any frequency protocol: with hashed balls into bins that of Q. Luo, Y. Wang, K. Yi, CCS
 * 2022.
 *
 * A user whose prefix is not asked for sends "another", a category of its own.
 */
import { ParameterError, requireInteger } from '@shuffle-dp/core';
import { choiceField, integerField, type HeavyHitterProtocolCard } from '../protocol-card.ts';
import type { FrequencyProtocolSpec } from '../registry.ts';
import { ROUNDS_BY, roundsSpec, type RoundsBy } from './rounds-by.ts';
import { allUsers, checkIdentifiers, drawGroups } from './identifier-data.ts';
import {
  frequencyRounds,
  privacyOfAllRounds,
  privacyOfOneRoundEach,
  type PlannedRound,
} from './frequency-rounds.ts';
import {
  checkHeavyHitterSetting,
  equalSizes,
  largest,
  type HeavyHitterProtocol,
  type HeavyHitterSetting,
} from './heavy-hitter-protocol.ts';

export interface PrefixTreeSpec {
  readonly kind: 'prefix-tree';
  /** The protocol of each round; default negative-binomial counts. */
  readonly oracle?: FrequencyProtocolSpec | RoundsBy;
  /** Bits by which prefixes grow in a round; default 4. */
  readonly bitsPerRound?: number;
  /** Prefixes that are kept in each round; default twice the number looked for. */
  readonly breadth?: number;
  /** Rounds of a user: 'one' (default), or 'all'. */
  readonly rounds?: 'one' | 'all';
}

export const PREFIX_TREE: HeavyHitterProtocolCard<PrefixTreeSpec> = {
  kind: 'prefix-tree',
  title: 'Prefix tree',
  dataKind: 'identifiers',
  task: 'heavy-hitters',
  setByTarget: 'noise',
  fields: [
    ROUNDS_BY,
    integerField('bitsPerRound', 1, 'Bits by which prefixes grow in a round; default 4.'),
    integerField('breadth', 1, 'Prefixes that are kept in each round; default twice the number looked for.'),
    choiceField('rounds', ['one', 'all'], 'Rounds that a user takes part in; default one.'),
  ],
  create: prefixTree,
};

/** Prefixes that a round may ask for: each is a category, and a step of the search. */
const MOST_CANDIDATES = 2 ** 22;

/** @throws ParameterError */
export function prefixTree(spec: PrefixTreeSpec, setting: HeavyHitterSetting): HeavyHitterProtocol {
  const { users, bits, top, epsilon, delta } = checkHeavyHitterSetting(setting);
  const { rounds: taken = 'one' } = spec;
  const oracle = roundsSpec(spec.oracle);
  const bitsPerRound = requireInteger('bitsPerRound', spec.bitsPerRound ?? 4, 1, 16);
  const breadth = requireInteger('breadth', spec.breadth ?? 2 * top, top, 2 ** 20);
  const candidates = Math.min(breadth * 2 ** bitsPerRound, 2 ** bits);
  if (candidates > MOST_CANDIDATES)
    throw new ParameterError(
      'breadth',
      breadth,
      `at most ${MOST_CANDIDATES / 2 ** bitsPerRound} where prefixes grow by ${bitsPerRound} bits: more than ${MOST_CANDIDATES} cannot be asked for`,
    );
  const lengths = prefixLengths(bits, bitsPerRound, breadth);
  const domain = candidates + 1;
  const sizes = taken === 'one' ? equalSizes(users, lengths.length) : lengths.map(() => users);
  const rounds: PlannedRound[] = sizes.map((size) => ({ users: size, domain }));
  const share = taken === 'one' ? 1 : lengths.length;
  const inner = frequencyRounds({ oracle, epsilon: epsilon / share, delta: delta / share }, rounds);

  return Object.freeze({
    kind: 'prefix-tree',
    name: 'Prefix tree',
    description: 'The most frequent prefixes, bit by bit; each round is a frequency protocol.',
    get parameters() {
      return inner.parametersWith({ rounds: lengths.length, bitsPerRound, breadth, taken });
    },
    paths: ['messages', 'aggregated'] as const,
    find(data, stream, path) {
      checkIdentifiers(data, setting);
      const groups =
        taken === 'one'
          ? drawGroups(data, sizes, path, stream.fork('groups'))
          : lengths.map(() => allUsers(data));
      let kept: number[] = [0];
      let estimates = new Float64Array(0);
      lengths.forEach((length, i) => {
        const grown = 2 ** (length - (lengths[i - 1] ?? 0));
        const candidates = kept.flatMap((prefix) =>
          Array.from({ length: grown }, (_, j) => prefix * grown + j),
        );
        const placeOf = new Map(candidates.map((prefix, place) => [prefix, place]));
        const rest = 2 ** (bits - length);
        const frequencies = inner.run(
          rounds[i]!,
          groups[i]!,
          (identifier) => placeOf.get(Math.floor(identifier / rest)) ?? domain - 1,
          path,
          stream.fork(`round ${i}`),
        );
        const last = i === lengths.length - 1;
        const best = largest(frequencies.subarray(0, candidates.length), last ? top : breadth);
        kept = best.map((place) => candidates[place]!);
        estimates = Float64Array.from(best, (place) => frequencies[place]!);
      });
      return { identifiers: Float64Array.from(kept), frequencies: estimates };
    },
    certifiedPrivacy: () => [
      taken === 'one'
        ? privacyOfOneRoundEach(inner.protocols())
        : privacyOfAllRounds(inner.protocols(), delta),
    ],
    cost: () => inner.costAmong(users),
  } satisfies HeavyHitterProtocol);
}

/** Of the prefixes of each round: the first as long as the candidates of a later round are many. */
function prefixLengths(bits: number, bitsPerRound: number, breadth: number): number[] {
  const lengths = [Math.min(bits, bitsPerRound + Math.floor(Math.log2(breadth)))];
  while (lengths.at(-1)! < bits) lengths.push(Math.min(bits, lengths.at(-1)! + bitsPerRound));
  return lengths;
}
