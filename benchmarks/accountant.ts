/**
 * The smallest epsilon of the general pair at delta = 0.01/n, in milliseconds, beside a plain loop over a window of
 * nine standard deviations with 45 bisections, which bounds neither what it leaves out nor its rounding.
 */
import { variationRatioEpsilon } from '@shuffle-dp/accounting';
import { binomialPmf, halfBinomialPmf, halfBinomialTail } from '@shuffle-dp/core';
import { fastest, type BenchmarkRow } from './row.ts';

function plainDivergence(p: number, users: number, epsilon: number): number {
  const share = 2 / (p + 1);
  const spread = Math.sqrt(users * share * (1 - share));
  const first = Math.max(1, Math.floor(users * share - 9 * spread));
  const last = Math.min(users, Math.ceil(users * share + 9 * spread));
  const slope = (Math.tanh(epsilon / 2) * (p + 1)) / (2 * (p - 1));
  let k = Math.floor(first / 2 + slope * first) + 1;
  let weight = binomialPmf(first, users, share);
  let tail = halfBinomialTail(k, first - 1);
  let point = halfBinomialPmf(k - 1, first - 1);
  let sum = 0;
  for (let m = first; m <= last; m++) {
    const d = slope * m;
    for (; k <= Math.floor(m / 2 + d); k++) {
      point *= (m - k) / k;
      tail -= point;
    }
    sum += weight * (-d * tail + ((m / 2 - d) * point) / 2);
    weight *= (((users - m) / (m + 1)) * share) / (1 - share);
    tail += point / 2;
    point *= m / (2 * (m - k + 1));
  }
  return ((p - 1) * (1 + Math.exp(epsilon)) * sum) / users;
}

function plainEpsilon(p: number, users: number, delta: number): number {
  let low = 0;
  let high = Math.log(p);
  for (let step = 0; step < 45; step++) {
    const middle = (low + high) / 2;
    if (plainDivergence(p, users, middle) > delta) low = middle;
    else high = middle;
  }
  return high;
}

/** Milliseconds of the program by the bound's authors (Python, 20 bisections, one-sided), by epsilon0 and users. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  '1,10000': '1100',
  '1,1000000': '6500',
  '1,100000000': '54 000-79 000',
  '7,100000000': '15 000',
};

export function rows(): BenchmarkRow[] {
  const settings: (readonly [epsilon0: number, users: number])[] = [];
  for (let users = 1e4; users <= 1e12; users *= 10) settings.push([1, users]);
  settings.push([7, 1e8], [7, 1e12]);
  return settings.map(([epsilon0, users]) => {
    const p = Math.exp(epsilon0);
    const pair = { p, beta: Math.tanh(epsilon0 / 2), q: p };
    const milliseconds = 1000 * fastest(() => void variationRatioEpsilon(pair, users, 0.01 / users), 3);
    const others = ELSEWHERE[`${epsilon0},${users}`];
    const row = {
      group: 'accountant',
      name: `variation ratio, epsilon0 = ${epsilon0}, n = ${users.toExponential()}`,
      value: milliseconds,
      unit: 'ms',
      ...(others === undefined ? {} : { others }),
    };
    // The plain loop takes seconds from here on.
    if (users > 1e9) return row;
    const plain = 1000 * fastest(() => void plainEpsilon(p, users, 0.01 / users), 1);
    return { ...row, baseline: { name: 'plain loop', value: plain }, ratio: plain / milliseconds };
  });
}
