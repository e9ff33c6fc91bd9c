/**
 * Heavy hitters by hashing: identifiers are hashed to buckets, one group of users for each bit tells the
 * bucket and that bit, and the majority of a bucket's bits spells its one candidate, whose frequency a last
 * group tells. In two rounds, whatever the number of bits. R. Bassily, K. Nissim, U. Stemmer, A. Thakurta,
 * "Practical Locally Private Heavy Hitters", JMLR 2020 (Bitstogram), with a shuffled protocol in each group.
 */
import { ParameterError, type RandomStream, requireInteger } from '@shuffle-dp/core';
import { integerField, type HeavyHitterProtocolCard } from '../protocol-card.ts';
import type { FrequencyProtocolSpec } from '../registry.ts';
import { ROUNDS_BY, roundsSpec, type RoundsBy } from './rounds-by.ts';
import { checkIdentifiers, drawGroups } from './identifier-data.ts';
import { frequencyRounds, privacyOfOneRoundEach, type PlannedRound } from './frequency-rounds.ts';
import {
  checkHeavyHitterSetting,
  equalSizes,
  largest,
  type HeavyHitterProtocol,
  type HeavyHitterSetting,
} from './heavy-hitter-protocol.ts';

export interface HashedBitsSpec {
  readonly kind: 'hashed-bits';
  /** The protocol of each group; default negative-binomial counts. */
  readonly oracle?: FrequencyProtocolSpec | RoundsBy;
  /**
   * Default sixteen times the number looked for: one of these shares its bucket with another with probability
   * 1/16 at most.
   */
  readonly buckets?: number;
}

export const HASHED_BITS: HeavyHitterProtocolCard<HashedBitsSpec> = {
  kind: 'hashed-bits',
  title: 'Hashed bits',
  dataKind: 'identifiers',
  task: 'heavy-hitters',
  setByTarget: 'noise',
  fields: [
    ROUNDS_BY,
    integerField('buckets', 1, 'Buckets of the hash function; default sixteen times the number looked for.'),
  ],
  create: hashedBits,
};

/** Groups that tell frequencies, as a share of all: bits need but majorities. */
const LAST_SHARE = 4;

function lastOf(users: number): number {
  return Math.max(1, Math.floor(users / LAST_SHARE));
}

/** @throws ParameterError */
export function hashedBits(spec: HashedBitsSpec, setting: HeavyHitterSetting): HeavyHitterProtocol {
  const { users, bits, top, epsilon, delta } = checkHeavyHitterSetting(setting);
  const oracle = roundsSpec(spec.oracle);
  const buckets = requireInteger('buckets', spec.buckets ?? 16 * top, top, 2 ** 20);
  const last = lastOf(users);
  if (users - last < bits) {
    let least = users;
    while (least - lastOf(least) < bits) least++;
    throw new ParameterError(
      'users',
      users,
      `at least ${least}: one for each of ${bits} bits, beside a quarter`,
    );
  }
  const sizes = [...equalSizes(users - last, bits), last];
  const rounds: PlannedRound[] = sizes.map((size, j) => ({
    users: size,
    domain: j < bits ? 2 * buckets : buckets + 1,
  }));
  const inner = frequencyRounds({ oracle, epsilon, delta }, rounds);

  return Object.freeze({
    kind: 'hashed-bits',
    name: 'Hashed bits',
    description: 'Buckets of a hash function, the bits of their most frequent identifier, and its frequency.',
    get parameters() {
      return inner.parametersWith({ buckets, groups: sizes.length });
    },
    paths: ['messages', 'aggregated'] as const,
    find(data, stream, path) {
      checkIdentifiers(data, setting);
      const hash = drawHash(buckets, stream.fork('hash'));
      const groups = drawGroups(data, sizes, path, stream.fork('groups'));
      const spelled = new Float64Array(buckets);
      for (let j = 0; j < bits; j++) {
        const frequencies = inner.run(
          rounds[j]!,
          groups[j]!,
          (identifier) => 2 * hash(identifier) + bitOf(identifier, j),
          path,
          stream.fork(`bit ${j}`),
        );
        spelled.forEach((_, h) => {
          if (frequencies[2 * h + 1]! > frequencies[2 * h]!) spelled[h]! += 2 ** j;
        });
      }
      // What is spelled in another bucket than its own is no identifier that was sent.
      const candidates = spelled.map((identifier, h) => (hash(identifier) === h ? identifier : -1));
      const frequencies = inner.run(
        rounds[bits]!,
        groups[bits]!,
        (identifier) => {
          const bucket = hash(identifier);
          return candidates[bucket] === identifier ? bucket : buckets;
        },
        path,
        stream.fork('frequencies'),
      );
      const found = largest(
        frequencies.subarray(0, buckets).map((frequency, h) => (candidates[h]! < 0 ? -Infinity : frequency)),
        top,
      ).filter((h) => candidates[h]! >= 0);
      return {
        identifiers: Float64Array.from(found, (h) => candidates[h]!),
        frequencies: Float64Array.from(found, (h) => frequencies[h]!),
      };
    },
    certifiedPrivacy: () => [privacyOfOneRoundEach(inner.protocols())],
    cost: () => inner.costAmong(users),
  } satisfies HeavyHitterProtocol);
}

function bitOf(identifier: number, j: number): number {
  return Math.floor(identifier / 2 ** j) % 2;
}

/** A prime below 2^28: products with halves of identifiers are whole doubles. */
const PRIME = 268_435_399;
const HALF = 2 ** 24;

/** A linear function of both halves of an identifier modulo a prime, and that modulo the buckets. */
function drawHash(buckets: number, stream: RandomStream): (identifier: number) => number {
  const [low, high, constant] = [
    1 + stream.integerBelow(PRIME - 1),
    stream.integerBelow(PRIME),
    stream.integerBelow(PRIME),
  ];
  return (identifier) => {
    const top = Math.floor(identifier / HALF);
    const hashed = ((low * (identifier - top * HALF)) % PRIME) + ((high * top) % PRIME) + constant;
    return (hashed % PRIME) % buckets;
  };
}
