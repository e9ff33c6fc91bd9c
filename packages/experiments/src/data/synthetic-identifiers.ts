/** Synthetic identifiers: drawn by Zipf's law, at places scattered over a large domain. */
import { aliasTable, RandomStream, sampleMultinomial } from '@shuffle-dp/core';
import type { IdentifierSource } from './sources/identifier-source.ts';
import { itemProbabilities } from './item-weights.ts';

/**
 * @param different at most 2^bits: identifiers by Zipf's law, each at a place of the domain that is drawn
 * once and for all
 */
export function syntheticIdentifiers(bits: number, different: number, exponent: number): IdentifierSource {
  const identifiers = scattered(bits, different);
  const population = itemProbabilities({ kind: 'zipf', exponent }, different);
  const table = aliasTable(population);
  return {
    holds: 'identifiers',
    domain: different,
    bits,
    available: null,
    notices: [],
    names: Array.from(identifiers, String),
    draw(users, path, stream) {
      const holders = new Float64Array(different);
      const own = stream.fork('values');
      const common = { kind: 'identifiers', users, bits, counts: { identifiers, holders } } as const;
      if (path === 'aggregated') {
        sampleMultinomial(users, population, holders, own);
        return common;
      }
      const values = new Float64Array(users);
      for (let u = 0; u < users; u++) {
        const i = table.sample(own);
        values[u] = identifiers[i]!;
        holders[i]!++;
      }
      return { ...common, values };
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
