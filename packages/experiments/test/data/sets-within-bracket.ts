/** Sets that differ in size, all of them listed, against what is certified of them. */
import { createSetProtocol } from '@shuffle-dp/protocols';
import { allSets, listed, padded, type Found, type Rule } from './listed-sets.ts';

/** Of three items, padded to two. */
export const SIZES = { delta: 0.1, rawDomain: 3, items: 2, raws: allSets(3) } as const;

/** What is listed at both ends of the certified bracket. */
export function listedEnds(
  rule: Rule,
  users: number,
  blanketRate: number,
): { readonly above: Found; readonly below: Found; readonly lower: number } {
  const { delta, rawDomain, items, raws } = SIZES;
  const domain = rule === 'fill' ? rawDomain : rawDomain + items - 1;
  const protocol = createSetProtocol(
    { kind: 'segmented', blanketRate },
    { users, domain, items, delta, levels: [3], shares: [1] },
  );
  const { lower, upper } = protocol.certifiedPrivacy()[0]!.epsilon;
  const rate = (protocol.parameters as { readonly rates: readonly number[] }).rates[0]!;
  const slots = Math.ceil(blanketRate);
  const messages = { users, rate, slots, probability: blanketRate / slots };
  const sets = raws.map((raw) => ({ size: raw.length, law: padded(raw, rawDomain, items, rule) }));
  const above = listed(sets, domain, messages, upper);
  const below = listed(sets, domain, messages, lower * (1 - 1e-9));
  return { above, below, lower };
}
