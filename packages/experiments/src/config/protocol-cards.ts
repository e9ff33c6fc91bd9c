/** The cards of all protocols that a config may name, whatever its users hold. */
import {
  FREQUENCY_PROTOCOLS,
  HEAVY_HITTER_PROTOCOLS,
  KEY_VALUE_PROTOCOLS,
  NUMBER_PROTOCOLS,
  PLACE_PROTOCOLS,
  SET_PROTOCOLS,
  VECTOR_PROTOCOLS,
} from '@shuffle-dp/protocols';

type AnyProtocolCard =
  | (typeof SET_PROTOCOLS)[number]
  | (typeof FREQUENCY_PROTOCOLS)[number]
  | (typeof NUMBER_PROTOCOLS)[number]
  | (typeof KEY_VALUE_PROTOCOLS)[number]
  | (typeof VECTOR_PROTOCOLS)[number]
  | (typeof PLACE_PROTOCOLS)[number]
  | (typeof HEAVY_HITTER_PROTOCOLS)[number];

export const PROTOCOL_CARDS: readonly AnyProtocolCard[] = [
  ...SET_PROTOCOLS,
  ...FREQUENCY_PROTOCOLS,
  ...NUMBER_PROTOCOLS,
  ...KEY_VALUE_PROTOCOLS,
  ...VECTOR_PROTOCOLS,
  ...PLACE_PROTOCOLS,
  ...HEAVY_HITTER_PROTOCOLS,
];

/** What a protocol of a kind on a card is called: 'Single-message frequency, grr'. */
export function protocolTitle(spec: { readonly kind: string; readonly randomizer?: unknown }): string {
  const { title } = PROTOCOL_CARDS.find(({ kind }) => kind === spec.kind)!;
  return typeof spec.randomizer === 'string' ? `${title}, ${spec.randomizer}` : title;
}
