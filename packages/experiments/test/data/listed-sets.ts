/** Users whose sets differ in size, with all sets, paddings and counts listed. */

export type Rule = 'fill' | 'dummy';
/** Sets with their probabilities. */
export type Law = readonly { readonly set: readonly number[]; readonly p: number }[];

export const range = (size: number): number[] => Array.from({ length: size }, (_, i) => i);

export function subsets(rows: readonly number[], size: number): number[][] {
  if (size === 0) return [[]];
  return rows.flatMap((item, i) => subsets(rows.slice(i + 1), size - 1).map((rest) => [item, ...rest]));
}

export const allSets = (domain: number): number[][] =>
  range(domain).flatMap((size) => subsets(range(domain), size + 1));

/** What a user of this set may hold after padding, by the words of the rule. */
export function padded(raw: readonly number[], domain: number, s: number, rule: Rule): Law {
  const lacking = s - raw.length;
  const others = range(domain).filter((item) => !raw.includes(item));
  const ways =
    lacking <= 0
      ? subsets(raw, s)
      : rule === 'dummy'
        ? [[...raw, ...range(lacking).map((i) => domain + i)]]
        : subsets(others, lacking).map((more) => [...raw, ...more]);
  return ways.map((set) => ({ set, p: 1 / ways.length }));
}

/**
 * Laws of counts, dense: the cell of (c_0, c_1, …) is c_0 + c_1 side + c_2 side^2 + …, far from the sides.
 */
export class Counts {
  readonly side: number;
  readonly domain: number;

  constructor(side: number, domain: number) {
    this.side = side;
    this.domain = domain;
  }

  none(): Float64Array {
    const law = new Float64Array(this.side ** this.domain);
    law[0] = 1;
    return law;
  }

  /** With the messages of one more sender. @param steps cells that they add, with their probabilities */
  with(law: Float64Array, steps: ReadonlyMap<number, number>): Float64Array {
    const next = new Float64Array(law.length);
    for (const [step, p] of steps)
      for (let cell = law.length - 1; cell >= step; cell--) next[cell]! += p * law[cell - step]!;
    return next;
  }

  /** Every item of the set is sent with probability `rate`. */
  sent(sets: Law, rate: number): Map<number, number> {
    const steps = new Map<number, number>();
    for (const { set, p } of sets)
      for (let chosen = 0; chosen < 2 ** set.length; chosen++) {
        let [step, mass] = [0, p];
        set.forEach((item, i) => {
          const isSent = (chosen >> i) & 1;
          mass *= isSent ? rate : 1 - rate;
          if (isSent) step += this.side ** item;
        });
        if (mass > 0) steps.set(step, (steps.get(step) ?? 0) + mass);
      }
    return steps;
  }

  slot(probability: number): Map<number, number> {
    const items = range(this.domain).map((item): [number, number] => [
      this.side ** item,
      probability / this.domain,
    ]);
    return new Map(probability < 1 ? [[0, 1 - probability], ...items] : items);
  }
}

export function divergence(p: Float64Array, q: Float64Array, epsilon: number): number {
  const scale = Math.exp(epsilon);
  return p.reduce((sum, mass, cell) => sum + Math.max(0, mass - scale * q[cell]!), 0);
}

export function* multisets(most: number, size: number, from = 0): Generator<number[]> {
  if (size === 0) return yield [];
  for (let x = from; x < most; x++) for (const rest of multisets(most, size - 1, x)) yield [x, ...rest];
}

export interface Found {
  /** Over all pairs of sets and all data sets of the others. */
  readonly largest: number;
  /** The same over pairs of different sizes. */
  readonly ofSizes: number;
}

export interface Messages {
  readonly users: number;
  readonly rate: number;
  readonly slots: number;
  readonly probability: number;
}

/** @param sets what users of each raw set may hold when they send */
export function listed(
  sets: readonly { readonly size: number; readonly law: Law }[],
  domain: number,
  { users, rate, slots, probability }: Messages,
  epsilon: number,
): Found {
  const counts = new Counts(users * (slots + 1) + 1, domain);
  const steps = sets.map(({ law }) => counts.sent(law, rate));
  let blankets = counts.none();
  for (let slot = 0; slot < users * slots; slot++) blankets = counts.with(blankets, counts.slot(probability));
  const found = { largest: 0, ofSizes: 0 };
  for (const others of multisets(sets.length, users - 1)) {
    const shared = others.reduce((law, x) => counts.with(law, steps[x]!), blankets);
    const laws = steps.map((own) => counts.with(shared, own));
    laws.forEach((p, x) =>
      laws.forEach((q, y) => {
        if (x === y) return;
        const value = divergence(p, q, epsilon);
        found.largest = Math.max(found.largest, value);
        if (sets[x]!.size !== sets[y]!.size) found.ofSizes = Math.max(found.ofSizes, value);
      }),
    );
  }
  return found;
}
