/**
 * Every input that the others may hold beside a pair of the victim's leaves of a hierarchy
 * (docs/sharp-bound.md): at each level their node is one of the victim's, or beside these.
 */
import type { FrequencyOracle, OtherInput, TypedInputs, TypedPair } from '@shuffle-dp/core';
import { otherInput, type TypedAtom } from '@shuffle-dp/randomizers';
import type { Hierarchy } from './hierarchy.ts';

/** Where another user's node of a level is. */
type Place = 'first' | 'second' | 'both' | 'beside';

/**
 * All pairs of leaves and all inputs of the others, as the levels tell them apart; some that no hierarchy has
 * are among them where its last nodes hold fewer leaves.
 * @param oracles the randomized response of each level, one of which every user draws
 */
export function rangeInputs({ levels, domain }: Hierarchy, oracles: readonly FrequencyOracle[]): TypedInputs {
  const pairs: TypedPair[] = [];
  // The pair that shares no level tells most.
  for (let shared = levels.length; shared >= 1; shared--) {
    const inputs = placesBeside(levels, shared).map(([label, places]) =>
      inputAt(label, levels, oracles, shared, places),
    );
    pairs.push({ label: `two leaves that share the levels from ${shared} on`, inputs, symmetric: true });
  }
  return { pairs, domain };
}

/** By level, leaves first. @param shared the first level at which the victim's two leaves share a node */
function placesBeside(
  levels: Hierarchy['levels'],
  shared: number,
): readonly (readonly [label: string, places: readonly Place[]])[] {
  const found: (readonly [string, readonly Place[]])[] = [];
  const add = (label: string, from: number, place: Place): void => {
    const places = levels.map((_, level): Place =>
      level < from ? 'beside' : level < shared ? place : 'both',
    );
    // Beside two nodes there has to be a third.
    if (places.every((at, level) => at !== 'beside' || level >= shared || levels[level]!.nodes > 2))
      found.push([label, places]);
  };
  for (let from = 0; from < shared; from++) {
    add(`a leaf with the victim's first from level ${from} on`, from, 'first');
    add(`a leaf with the victim's second from level ${from} on`, from, 'second');
  }
  for (let from = shared; from <= levels.length; from++)
    add(`a leaf apart from both below level ${from}`, from, 'both');
  return found;
}

function inputAt(
  label: string,
  levels: Hierarchy['levels'],
  oracles: readonly FrequencyOracle[],
  shared: number,
  places: readonly Place[],
): OtherInput {
  const atoms = levels.flatMap(({ nodes }, level): TypedAtom[] => {
    const { own, other } = oracles[level]!.supportProbability;
    const [high, low] = [own / levels.length, other / levels.length];
    const place = places[level]!;
    const isBeside = place === 'beside';
    /** How likely a node is under the victim's two leaves and the other user's, of so many alike nodes. */
    const atom = (count: number, first: boolean, second: boolean, held: boolean): TypedAtom => {
      const mass = (is: boolean): number => count * (is ? high : low);
      return [mass(first), mass(second), mass(held), count * low];
    };
    if (level >= shared)
      return [
        atom(1, true, true, place === 'both'),
        ...(isBeside ? [atom(1, false, false, true)] : []),
        atom(nodes - 1 - Number(isBeside), false, false, false),
      ];
    return [
      atom(1, true, false, place === 'first'),
      atom(1, false, true, place === 'second'),
      ...(isBeside ? [atom(1, false, false, true)] : []),
      atom(nodes - 2 - Number(isBeside), false, false, false),
    ];
  });
  return otherInput(label, atoms);
}
