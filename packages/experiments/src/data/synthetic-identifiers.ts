/** Synthetic identifiers: drawn by Zipf's law, at places scattered over a large domain. */
import { RandomStream } from '@shuffle-dp/core';
import type { IdentifierSource } from './sources/identifier-source.ts';
import { drawListed } from './sources/listed-values.ts';
import { GENERATED } from './sources/source-users.ts';
import { itemProbabilities } from './item-weights.ts';

/**
 * @param different at most 2^bits: identifiers by Zipf's law, each at a place of the domain that is drawn
 * once and for all
 */
export function syntheticIdentifiers(bits: number, different: number, exponent: number): IdentifierSource {
  const identifiers = scattered(bits, different);
  const drawn = drawListed(identifiers, itemProbabilities({ kind: 'zipf', exponent }, different));
  return {
    holds: 'identifiers',
    domain: different,
    bits,
    ...GENERATED,
    names: Array.from(identifiers, String),
    draw(users, path, stream) {
      const { holders, ...held } = drawn(users, path, stream.fork('values'));
      return { kind: 'identifiers', users, bits, counts: { identifiers, holders }, ...held };
    },
  };
}

/** The same in every run: where identifiers stand is no part of what is drawn. */
function scattered(bits: number, different: number): Float64Array {
  const stream = RandomStream.fromSeed(`identifiers of ${bits} bits`);
  const size = 2 ** bits;
  if (2 * different > size) return Float64Array.from({ length: different }, (_, i) => i);
  const drawn = new Set<number>();
  while (drawn.size < different) drawn.add(stream.integerBelow(size));
  return Float64Array.from(drawn);
}
