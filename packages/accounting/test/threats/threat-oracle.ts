/** What colluding users show, with everything listed, and the atoms of randomized response beside it. */
import type { AmplificationProfile } from '@shuffle-dp/core';
import type { RandomizerMatrix } from '../oracle/exhaustive-divergence.ts';

export function grrProfile(domain: number, epsilon0: number): AmplificationProfile {
  const p = Math.exp(epsilon0);
  const total = p + domain - 1;
  const atoms = (rows: readonly (readonly [number, number, number])[], symmetric: boolean) => ({
    label: 'randomized response',
    victim0: Float64Array.from(rows, ([a]) => a / total),
    victim1: Float64Array.from(rows, ([, b]) => b / total),
    others: Float64Array.from(rows, ([, , w]) => w / total),
    symmetric,
  });
  const rest = domain - 2;
  return {
    variationRatio: null,
    blanket: [
      atoms(
        [
          [p, 1, 1],
          [1, p, 1],
          [rest, rest, rest],
        ],
        true,
      ),
    ],
    homogeneous: [
      atoms(
        [
          [p, 1, 1],
          [1, p, 1],
          [1, 1, p],
          [rest - 1, rest - 1, rest - 1],
        ],
        true,
      ),
      atoms(
        [
          [p, 1, p],
          [1, p, 1],
          [rest, rest, rest],
        ],
        false,
      ),
    ],
  };
}

/**
 * The law of what is seen: the multiset of all messages, and beside it what the colluders among them sent.
 * @param own laws of the victim, by input
 */
export function joint(
  own: RandomizerMatrix,
  victim: number,
  others: readonly (readonly number[])[],
  colluders: readonly number[],
): Map<string, number> {
  let law = new Map<string, number>([['|', 1]]);
  const add = (row: readonly number[], colludes: boolean): void => {
    const next = new Map<string, number>();
    for (const [key, mass] of law) {
      const [all = '', seen = ''] = key.split('|');
      row.forEach((probability, y) => {
        if (probability === 0) return;
        const sorted = [...all.split(''), String(y)].toSorted().join('');
        const grown = `${sorted}|${seen}${colludes ? y : ''}`;
        next.set(grown, (next.get(grown) ?? 0) + mass * probability);
      });
    }
    law = next;
  };
  add(own[victim]!, false);
  for (const row of others) add(row, false);
  for (const x of colluders) add(own[x]!, true);
  return law;
}

/** The largest divergence over all data sets of the others, and over those of equal honest users. */
export function worst(
  matrix: RandomizerMatrix,
  others: number,
  epsilon: number,
  view: (others: readonly number[], victim: number) => Map<string, number>,
): { any: number; equal: number } {
  let [any, equal] = [0, 0];
  const growth = Math.exp(epsilon);
  for (let code = 0; code < matrix.length ** others; code++) {
    const held = Array.from(
      { length: others },
      (_, i) => Math.floor(code / matrix.length ** i) % matrix.length,
    );
    const laws = matrix.map((_, victim) => view(held, victim));
    for (const [a, p] of laws.entries())
      for (const [b, q] of laws.entries()) {
        if (a === b) continue;
        let delta = 0;
        for (const [key, mass] of p) delta += Math.max(0, mass - growth * (q.get(key) ?? 0));
        any = Math.max(any, delta);
        if (held.every((x) => x === held[0])) equal = Math.max(equal, delta);
      }
  }
  return { any, equal };
}
