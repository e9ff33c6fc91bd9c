/** Protocols in which messages that depend on no input hide the victim's. */
import { lawsFrom, normalised, range, wordsOf, type FiniteMechanism, type Law } from './finite-mechanism.ts';
import { quotient, type Fixed, type FixedPoint } from './fixed-point.ts';
import { claim, listed, type Definition, type MechanismOracle, type Parameters } from './mechanism-oracle.ts';
import type { View } from './shuffled-divergence.ts';

const among = (victims: readonly Law[], blanket: Law): FiniteMechanism => ({ victims, others: [blanket] });

const uniform = (size: number, arithmetic: FixedPoint): Law =>
  normalised(
    range(size).map(() => arithmetic.one),
    arithmetic,
  );

/**
 * Luo, Wang and Yi 2022: a value is in one of its own special bins, messages that hide are anywhere. With one
 * special bin, Li et al. 2023.
 */
const bins: Definition = ({ bins: size, special = 1 }, arithmetic) =>
  among(
    lawsFrom(
      range(Math.min(3, Math.floor(size! / special))),
      range(size!),
      (value, bin) => (Math.floor(bin / special) === value ? arithmetic.one : 0n),
      arithmetic,
    ),
    uniform(size!, arithmetic),
  );

/** Li et al. 2023: the value leaves its bin with the probability `flip`, for any other. */
const mixDump: Definition = ({ bins: size, flip }, arithmetic) => {
  const moved = arithmetic.of(flip!);
  return among(
    lawsFrom(
      range(Math.min(3, size!)),
      range(size!),
      (value, bin) => (bin === value ? (arithmetic.one - moved) * BigInt(size! - 1) : moved),
      arithmetic,
    ),
    uniform(size!, arithmetic),
  );
};

/**
 * Cheu and Zhilyaev 2022: a one-hot row, and rows of zeros, all bits flipped. Three items, or none but two
 * that are looked at.
 */
const flippedBits: Definition = ({ flip }, arithmetic) => {
  const moved = arithmetic.of(flip!);
  const rows = lawsFrom(
    [0, 1, 2, -1],
    wordsOf(3, 2),
    (hot, word) =>
      word.reduce(
        (mass, bit, v) => arithmetic.times(mass, bit === Number(v === hot) ? arithmetic.one - moved : moved),
        arithmetic.one,
      ),
    arithmetic,
  );
  return among(rows.slice(0, 3), rows[3]!);
};

/** Balcer and Cheu 2020: a bit in the clear among coins. */
const coins: Definition = ({ coin }, arithmetic) => {
  const { one, of } = arithmetic;
  return among(
    [
      [one, 0n],
      [0n, one],
    ],
    [of(coin!), one - of(coin!)],
  );
};

/**
 * Wang et al. 2024, Definition 4.2: n - 1 messages that are like the victim's first or second with r each,
 * and show nothing otherwise.
 */
const pair: Definition = ({ p, beta, q }, arithmetic) => {
  const { one, of, over } = arithmetic;
  const total = of(beta!);
  const share = p === Infinity ? 0n : over(total, of(p!) - one);
  // A rounded beta may be above the largest one, for which nothing is left.
  const left = one - 2n * share - total;
  const [more, less, nothing] = normalised([share + total, share, left < 0n ? 0n : left], arithmetic) as [
    Fixed,
    Fixed,
    Fixed,
  ];
  const clone = over(more, of(q!));
  return {
    victims: [
      [more, less, nothing],
      [less, more, nothing],
    ],
    others: [[clone, clone, one - 2n * clone]],
  };
};

/** So many counts of one item are told apart; all above are taken together. */
const MOST_COUNTED = 16;

/** Messages about one item: a Poisson number that hide, and one of each holder with the rate. */
function countLaw(mean: Fixed, holders: number, rate: Fixed, arithmetic: FixedPoint): Law {
  const { one, times, exp } = arithmetic;
  let mass = exp(-quotient(mean, one));
  let law: Fixed[] = range(MOST_COUNTED).map((k) => {
    const current = mass;
    mass = times(mass, mean) / BigInt(k + 1);
    return current;
  });
  law.push(one - law.reduce((sum, part) => sum + part, 0n));
  for (let i = 0; i < holders; i++) {
    law = law.map((part, k) => {
      const stays = k === MOST_COUNTED ? part : times(part, one - rate);
      return stays + (k === 0 ? 0n : times(law[k - 1]!, rate));
    });
  }
  return law;
}

/** All splits of the others over the items; only the two counts that the victim may add to tell anything. */
function* poissonViews(
  { rate, domain, blankets }: Parameters,
  users: number,
  arithmetic: FixedPoint,
): Generator<View> {
  const mean = arithmetic.of((users * blankets!) / domain!);
  const sent = arithmetic.of(rate!);
  const laws = range(users + 1).map((holders) => countLaw(mean, holders, sent, arithmetic));
  const product = (a: Law, b: Law): Law => a.flatMap((x) => b.map((y) => arithmetic.times(x, y)));
  for (let a = 0; a < users; a++) {
    for (let b = domain === 2 ? users - 1 - a : 0; a + b < users; b++) {
      yield {
        others: [a, b],
        laws: [product(laws[a + 1]!, laws[b]!), product(laws[a]!, laws[b + 1]!)],
      };
    }
  }
}

const alone = { 'blanket messages alone': claim(() => true) };

const hidden = (
  define: Definition,
  settings: (budget: number) => readonly Parameters[],
  nats: (parameters: Parameters) => number = () => 10,
): MechanismOracle => ({ settings, nats, ...listed(define), claims: alone, missing: 0 });

export const MULTI_MESSAGE_ORACLES: Readonly<Record<string, MechanismOracle>> = {
  'pure-dump': hidden(bins, () => [{ bins: 2 }, { bins: 3 }, { bins: 5 }]),
  'balls-into-bins': hidden(bins, () => [{ bins: 2 }, { bins: 4, special: 2 }, { bins: 7, special: 2 }]),
  'mix-dump': hidden(
    mixDump,
    (budget) =>
      [2, 3, 5]
        // (1 - f) (d - 1) / f = e^budget.
        .map((size) => ({ bins: size, flip: (size - 1) / (Math.exp(budget) + size - 1) }))
        .filter(({ bins: size, flip }) => flip < (size - 1) / size),
    ({ flip }) => 10 - 2 * Math.log(flip!),
  ),
  'cheu-zhilyaev': hidden(
    flippedBits,
    (budget) => [{ flip: 1 / (1 + Math.exp(budget / 2)) }].filter(({ flip }) => flip < 0.5),
    ({ flip }) => 10 - 3 * Math.log(flip!),
  ),
  'balcer-cheu': hidden(
    coins,
    (budget) => [{ coin: 0.5 }, { coin: 0.25 }, { coin: 1 / (1 + Math.exp(budget)) }],
    ({ coin }) => 10 - 2 * Math.log(coin!),
  ),
  'poisson-blanket': {
    settings: () => [
      { rate: 0.3, blankets: 0.5, domain: 2 },
      { rate: 0.5, blankets: 1, domain: 3 },
      { rate: 1, blankets: 0.5, domain: 3 },
      { rate: 0.01, blankets: 0.2, domain: 5 },
    ],
    nats: () => 200,
    views: poissonViews,
    outcomes: (_, users) => 2 * users ** 2 * (MOST_COUNTED + 1) ** 2,
    claims: {},
    missing: 1e-9,
    // The ratio of two counts grows without end.
    leastDelta: 1e-6,
  },
  'variation-ratio': hidden(
    pair,
    (budget) => {
      const p = Math.exp(budget);
      const most = (p - 1) / (p + 1);
      return [
        { p, beta: most, q: p },
        { p, beta: most / 2, q: p },
        { p, beta: most / 3, q: Math.max(1, p / 2) },
        { p: Infinity, beta: 1, q: 4 },
        { p: Infinity, beta: 0.5, q: 3 },
      ].filter(({ q }) => q < Infinity);
    },
    ({ q }) => 10 + 2 * Math.log(q!),
  ),
};
