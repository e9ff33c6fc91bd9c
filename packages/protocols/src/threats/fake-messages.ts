/**
 * The messages of fake users, made one by one: they stand in the list that is shuffled beside those of the
 * honest.
 */
import {
  ParameterError,
  sampleSubset,
  type FrequencyOracle,
  type MessageColumns,
  type RandomStream,
  type UserMessages,
} from '@shuffle-dp/core';
import type { BitColumns, CategoryColumns, LocalHashing, SubsetSelection } from '@shuffle-dp/randomizers';
import type { CraftedAttack } from './poisoning.ts';

export interface Attack {
  readonly attack: CraftedAttack;
  /** Categories that are promoted, each once. */
  readonly targets: readonly number[];
}

/**
 * Adds so many messages after those that are there, by the laws of `fakeSupport`. They know nothing of the
 * honest.
 *
 * @param messages with room for them
 * @throws ParameterError for an oracle whose best message is not known here, and for local hashing with
 *   several targets: one function that joins them all need not exist
 */
export function addFakeMessages(
  oracle: FrequencyOracle,
  attack: Attack,
  fakes: number,
  messages: UserMessages,
  stream: RandomStream,
): void {
  const write = writerOf(oracle, attack, messages.columns, stream);
  const end = messages.count + fakes;
  for (let i = messages.count; i < end; i++) write(i);
  messages.count = end;
}

type Write = (index: number) => void;

function writerOf(
  oracle: FrequencyOracle,
  { attack, targets }: Attack,
  columns: MessageColumns,
  stream: RandomStream,
): Write {
  const { name, domain, supportProbability } = oracle;
  const anyOf = <Value>(values: readonly Value[]): Value => values[stream.integerBelow(values.length)]!;
  switch (name) {
    case 'grr': {
      const { value } = columns as CategoryColumns;
      return (i) => {
        value[i] = attack === 'maximal-gain' ? anyOf(targets) : stream.integerBelow(domain);
      };
    }
    case 'subset': {
      const rows = rowsOf(columns as BitColumns);
      const size = (oracle as SubsetSelection).subsetSize;
      const chosen = new Uint32Array(size);
      const addSubset = (i: number, of: number, elements: (place: number) => number, more: number): void => {
        sampleSubset(more, of, chosen, 0, stream);
        for (let k = 0; k < more; k++) rows.add(i, elements(chosen[k]!));
      };
      if (attack === 'random-message') return (i) => addSubset(i, domain, (element) => element, size);
      const others = elementsWithout(domain, targets);
      const inside = Math.min(size, targets.length);
      return (i) => {
        addSubset(i, targets.length, (place) => targets[place]!, inside);
        addSubset(i, others.length, (place) => others[place]!, size - inside);
      };
    }
    case 'binary-rr':
    case 'oue': {
      const rows = rowsOf(columns as BitColumns);
      const isTarget = new Set(attack === 'maximal-gain' ? targets : []);
      const chance = attack === 'maximal-gain' ? supportProbability.other : 1 / 2;
      return (i) => {
        for (let v = 0; v < domain; v++) if (isTarget.has(v) || stream.next() < chance) rows.add(i, v);
      };
    }
    case 'local-hash': {
      const { family, hashRange } = oracle as LocalHashing;
      const { seed, bucket } = columns as { readonly seed: Uint32Array; readonly bucket: Uint16Array };
      if (attack === 'maximal-gain' && targets.length > 1)
        throw new ParameterError(
          'targets',
          targets,
          'one for local-hash where every message is made: a hash function that joins several need not exist',
        );
      return (i) => {
        seed[i] = stream.integerBelow(family.size);
        bucket[i] =
          attack === 'maximal-gain' ? family.hash(seed[i]!, targets[0]!) : stream.integerBelow(hashRange);
      };
    }
    default:
      throw new ParameterError(
        'randomizer',
        name,
        'grr, subset, binary-rr, oue or local-hash for this attack',
      );
  }
}

/** Sets of elements as rows of bits, which are all zero before. */
function rowsOf(columns: BitColumns): { add(row: number, element: number): void } {
  return {
    add(row, element) {
      const word = columns[`w${element >>> 5}`]!;
      word[row] = word[row]! | (1 << (element & 31));
    },
  };
}

function elementsWithout(domain: number, left: readonly number[]): number[] {
  const out = new Set(left);
  return Array.from({ length: domain }, (_, v) => v).filter((v) => !out.has(v));
}
