/** Mechanisms by their formulas, so that accounting is tested without the randomizers. */
import type { ShuffleSetting } from '@shuffle-dp/accounting';
import type { LikelihoodAtoms } from '@shuffle-dp/core';

function atoms(
  victim0: readonly number[],
  victim1: readonly number[],
  others: readonly number[],
): LikelihoodAtoms {
  return {
    label: 'test',
    victim0: Float64Array.from(victim0),
    victim1: Float64Array.from(victim1),
    others: Float64Array.from(others),
    symmetric: true,
  };
}

/** Generalised randomized response over `domain` values. */
export function grr(epsilon0: number, domain: number, users: number): ShuffleSetting {
  const p = Math.exp(epsilon0);
  const a = 1 / (p + domain - 1);
  const rest = (domain - 2) * a;
  return {
    users,
    epsilon0,
    amplification: {
      variationRatio: { p, beta: (p - 1) * a, q: p },
      blanket: [
        domain > 2
          ? atoms([p * a, a, rest], [a, p * a, rest], [a, a, rest])
          : atoms([p * a, a], [a, p * a], [a, a]),
      ],
      homogeneous:
        domain > 2
          ? [atoms([p * a, a, a, rest - a], [a, p * a, a, rest - a], [a, a, p * a, rest - a])]
          : [atoms([p * a, a], [a, p * a], [p * a, a])],
    },
  };
}

/** Laplace noise of scale 1/epsilon0 on values in [0, 1], cut into cells. */
export function laplace(epsilon0: number, users: number, cells = 2000): ShuffleSetting {
  const tail = (x: number): number => 0.5 * Math.exp(-epsilon0 * x);
  const p = Math.exp(epsilon0);
  const victim0 = [0.5];
  const others = [tail(1)];
  const ends: [number, number, number, number][] = [[p, p, 1, 1]];
  for (let i = 0; i < cells; i++) {
    const [x, y] = [i / cells, (i + 1) / cells];
    victim0.push(tail(x) - tail(y));
    const far = Math.max(x, 1 - y);
    others.push(tail(far) - tail(far + y - x));
    const ratio = (at: number): number => Math.exp(epsilon0 * Math.max(0, 1 - 2 * at));
    ends.push([ratio(x), ratio(y), ratio(1 - x), ratio(1 - y)]);
  }
  victim0.push(tail(1));
  others.push(tail(1));
  ends.push([1, 1, p, p]);
  const column = (k: 0 | 1 | 2 | 3): Float64Array => Float64Array.from(ends, (row) => row[k]);
  return {
    users,
    epsilon0,
    amplification: {
      variationRatio: { p, beta: 1 - Math.exp(-epsilon0 / 2), q: p },
      blanket: [
        {
          ...atoms(victim0, victim0.toReversed(), others),
          cellEnds: {
            ratio0Start: column(0),
            ratio0End: column(1),
            ratio1Start: column(2),
            ratio1End: column(3),
          },
        },
      ],
      homogeneous: [],
    },
  };
}

/** Messages through randomized response with flip probability f, hidden among uniform ones: mixDUMP. */
export function mixDump(flip: number, bins: number, messages: number): ShuffleSetting {
  const own = 1 - flip;
  const other = flip / (bins - 1);
  return {
    users: messages,
    epsilon0: Math.log(own / other),
    amplification: {
      variationRatio: { p: own / other, beta: own - other, q: own * bins },
      blanket: [
        atoms(
          [own, other, other * (bins - 2)],
          [other, own, other * (bins - 2)],
          [1 / bins, 1 / bins, (bins - 2) / bins],
        ),
      ],
      homogeneous: [],
    },
  };
}

/** Only the parameters of the pair. */
export function bare(p: number, beta: number, q: number, users: number): ShuffleSetting {
  return {
    users,
    epsilon0: Math.log(p),
    amplification: { variationRatio: { p, beta, q }, blanket: [], homogeneous: [] },
  };
}
