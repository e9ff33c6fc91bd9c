/**
 * One item of a user among Poisson blanket messages: what the segmented protocol with such blankets does to
 * each item.
 */
import {
  beyond,
  domainUpTo,
  exactly,
  from,
  interval,
  real,
  type Given,
  type Interval,
  type MechanismCard,
  type MechanismModel,
  setByTarget,
} from '@shuffle-dp/core';
import {
  epsilonAtDelta,
  setDivergenceCurve,
  setDivergenceUpper,
  worstSplitUpper,
  type SetPair,
} from '@shuffle-dp/accounting';

export const POISSON_BLANKET: MechanismCard = {
  name: 'poisson-blanket',
  title: 'Poisson blankets',
  holds: 'a category',
  description:
    'An item, sent with probability `rate`, among uniform blanket messages; each user sends a Poisson number of them.',
  source: 'Wang et al. 2025 (segmented protocol), with Poisson blankets',
  citation: 'wang2025segmented',
  parameters: [
    real('rate', beyond(0), from(1), 'probability that the item is sent'),
    domainUpTo(2 ** 32, 'number of items'),
    setByTarget(
      real('blankets', beyond(0), beyond(Infinity, 'inf'), 'expected blanket messages of a user'),
      1e6,
      1e-6,
    ),
  ],
  usersMean: 'all users, each with blankets of their own',
  ratios: { p: 'inf', beta: 'rate', q: 'd rate ceil(m) / m for m blankets' },
  estimator: 'n_v = (C_v - n m / d) / rate',
  example: { rate: 0.5, domain: 16, blankets: 1 },
  model: poissonBlanketModel,
};

/**
 * One item of a user, hidden by Poisson counts. From above the theorem of docs/sets.md, whatever the others
 * hold, and every split of them where there are two items in all; from below the worst of the data sets that
 * are tried. Both are one where others can hold a third item, or send theirs for sure.
 */
function poissonBlanketModel(given: Given<'rate' | 'domain' | 'blankets'>): MechanismModel {
  const { rate, domain, blankets } = given;
  const coins = Math.ceil(blankets);
  const pairFor = (users: number, rounds = 1): SetPair => ({
    rate,
    blanketsPerItem: (users * blankets) / domain,
    // Rounds with independent blankets show what as many items in one round do.
    itemsChanged: rounds,
  });
  const divergence = (users: number, rounds: number) => {
    const pair = pairFor(users, rounds);
    const splits = othersOf(users, domain, rate);
    const shown = splits.length === 0 ? [pair] : splits.map((holders) => ({ ...pair, holders }));
    const lowers = shown.map((data) => setDivergenceCurve(data, 'lower'));
    // Over several rounds the others may be split another way in each.
    const upper =
      splits.length === 0 || rounds > 1
        ? setDivergenceCurve(pair, 'upper')
        : worstSplitUpper(pair, users - 1);
    return (epsilon: number): Interval =>
      interval(Math.max(...lowers.map((lower) => lower(epsilon))), upper(epsilon));
  };
  const q = Math.max(1, (domain * rate * coins) / blankets);
  // Where every blanket names one of the two items, nothing hides that the victim's was not sent: the theorem
  // has no such pair.
  const covered = rate < 1 && 2 * rate >= q;
  return {
    epsilon0: Infinity,
    amplification: {
      variationRatio: covered ? null : { p: Infinity, beta: rate, q },
      blanket: [],
      homogeneous: [],
    },
    slots: (users) => users * coins + 1,
    certified: (users, target, rounds = 1) => {
      const at = divergence(users, rounds);
      if (!('delta' in target)) return at(target.epsilon);
      // Poisson counts have no largest value, and every one more is likelier if the item was sent.
      if (target.delta === 0) return exactly(Infinity);
      return epsilonAtDelta(at, target.delta, { relativeTolerance: 1e-8 });
    },
    certifiedUpper: (users, epsilon) => setDivergenceUpper(pairFor(users), epsilon),
    parameters: given,
  };
}

/**
 * What the other users hold of the victim's two items, in the data sets that are tried; none where they can
 * avoid both, or send theirs for sure. With two items in all others hold one or the other: all the old one,
 * all the new one, or half of each.
 */
function othersOf(users: number, domain: number, rate: number): Required<SetPair>['holders'][] {
  const others = users - 1;
  if (domain > 2 || others === 0 || rate === 1) return [];
  const half = Math.floor(others / 2);
  return [
    { old: others, new: 0, rate },
    { old: 0, new: others, rate },
    { old: half, new: others - half, rate },
  ];
}
