/** Cases by which upper bounds are held against exact divergences of concrete data sets. */
import { blanketDivergence, variationRatioDivergence } from '@shuffle-dp/accounting';
import { segmentedProtocol } from '@shuffle-dp/protocols';
import { accountMechanism, boundValue } from '@shuffle-dp/experiments/account';

/** Of randomized response: local budget, values, users, delta. */
export type ResponseSetting = readonly [epsilon0: number, domain: number, users: number, delta: number];

const SEGMENTED = { users: 5000, domain: 17, items: 4, level: 0.5 } as const;

/** Randomized response over three values with p = 4, two users, at e^epsilon = 3.5. */
export function handExample(): { claimed: number; truth: number } {
  const epsilon = Math.log(3.5);
  const account = accountMechanism('grr', { epsilon0: Math.log(4), domain: 3 }, 2, { epsilon });
  return { claimed: boundValue(account, 'variation-ratio')!, truth: account.bracket.lower };
}

/** One item of a user at the rate that the protocol chooses for this many blankets. */
export function segmentedCase(blanketRate: number) {
  const { users, domain, items, level } = SEGMENTED;
  const { messageParameters } = segmentedProtocol(
    { kind: 'segmented', blanketRate },
    { users, domain, items, levels: [level], shares: [1], delta: 0.01 / users },
  );
  const rate = messageParameters.rates[0]!;
  const epsilon = level / items;
  const blankets = users * blanketRate;
  const pair = { p: Infinity, beta: rate, q: Math.max(1, domain * rate) };
  const cover = 1 / domain;
  const sent = {
    label: 'the item was sent',
    victim0: Float64Array.of(1, 0),
    victim1: Float64Array.of(0, 1),
    others: Float64Array.of(cover, cover),
    symmetric: true,
  };
  return {
    blanketRate,
    rate,
    claimed: variationRatioDivergence(pair, blankets, epsilon).upper,
    // The item's message and all blankets: the count tells that it was sent.
    truth: rate * blanketDivergence(sent, blankets + 1, epsilon, { ends: 'lower' }).lower,
  };
}

/**
 * The epsilon that a bound claims, and how many times delta a data set of equal users really has there, at
 * least.
 */
export function heldAgainstTruth([epsilon0, domain, users, delta]: ResponseSetting, bound: string) {
  const parameters = { epsilon0, domain };
  const account = accountMechanism('grr', parameters, users, { delta });
  const claimed = boundValue(account, bound)!;
  const { bracket } = accountMechanism('grr', parameters, users, { epsilon: claimed });
  return { account, epsilon0, domain, users, delta, claimed, excess: bracket.lower / delta };
}
