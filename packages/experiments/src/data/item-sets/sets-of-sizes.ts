/** Synthetic sets of different sizes: a size by its share, then that many items as of synthetic sets. */
import { aliasTable, onDemand } from '@shuffle-dp/core';
import type { RawSets, SetProfile } from './item-sets.ts';
import type { ItemShape } from '../item-weights.ts';
import { syntheticSets } from './synthetic-sets.ts';

/**
 * @param shares of users who hold 1, 2, … items; sum to 1, at most `domain` of them
 * @throws ParameterError where so many distinct items hardly ever come up
 */
export function setsOfSizes(shape: ItemShape, domain: number, shares: readonly number[]): RawSets {
  const possible = shares.flatMap((share, i) => {
    const size = i + 1;
    return share > 0 ? [{ share, size, ...syntheticSets(shape, domain, size) }] : [];
  });
  const table = aliasTable(possible.map(({ share }) => share));
  const listed = possible.every(({ law }) => law !== undefined);
  return {
    domain,
    largest: possible.at(-1)!.size,
    available: null,
    profile: profileOf(possible, domain),
    ...(listed && {
      law: onDemand(() => {
        const raw = new Float64Array(2 ** domain);
        for (const { share, size, law } of possible) {
          const { sets, probabilities } = law!();
          probabilities.forEach((probability, i) => {
            let mask = 0;
            for (const item of sets.subarray(i * size, (i + 1) * size)) mask |= 1 << item;
            raw[mask] = share * probability;
          });
        }
        return raw;
      }),
    }),
    open: (_users, stream) => (target) => {
      const { size, drawInto } = possible[table.sample(stream)]!;
      drawInto(target, 0, stream);
      return size;
    },
  };
}

/** Null where one of the sizes has no closed form. */
function profileOf(
  possible: readonly {
    readonly share: number;
    readonly size: number;
    readonly population: Float64Array | null;
  }[],
  domain: number,
): SetProfile | null {
  const sizes = new Float64Array(possible.at(-1)!.size + 1);
  const holders = Array.from({ length: domain }, () => new Float64Array(sizes.length));
  for (const { share, size, population } of possible) {
    if (population === null) return null;
    sizes[size] = share;
    population.forEach((held, item) => (holders[item]![size] = share * held));
  }
  return { sizes, holders };
}
