/**
 * The searches for heavy hitters by kind: they are made of the protocols of the other registry, and so have
 * one of their own.
 */
import type { HeavyHitterProtocolCard } from '../protocol-card.ts';
import { create } from '../registry.ts';
import { HASHED_BITS, type HashedBitsSpec } from './hashed-bits.ts';
import type { HeavyHitterProtocol, HeavyHitterSetting } from './heavy-hitter-protocol.ts';
import { PREFIX_TREE, type PrefixTreeSpec } from './prefix-tree.ts';

export type HeavyHitterSpec = PrefixTreeSpec | HashedBitsSpec;

/** A card takes the specs of its own kind; the compiler cannot follow the pairing through a list. */
type AnyCard = HeavyHitterProtocolCard<HeavyHitterSpec>;

export const HEAVY_HITTER_PROTOCOLS = [PREFIX_TREE, HASHED_BITS] as readonly AnyCard[];

/**
 * The search for heavy hitters that the spec names.
 *
 * @throws ParameterError for an unknown kind, and for a setting or spec outside its range
 */
export function createHeavyHitterProtocol(
  spec: HeavyHitterSpec,
  setting: HeavyHitterSetting,
): HeavyHitterProtocol {
  return create(HEAVY_HITTER_PROTOCOLS, spec, setting);
}
