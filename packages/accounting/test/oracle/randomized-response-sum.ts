import { binomialTail, logBinomialPmf } from '@shuffle-dp/core';

/**
 * Formula F1 for the blanket of randomized response, summed over the counts m of messages that tell the
 * victim's values apart and c of those that show another value: given both, the excess is a binomial tail.
 * Windows of 12 deviations.
 */
export function randomizedResponseSum(
  domain: number,
  epsilon0: number,
  users: number,
  epsilon: number,
): number {
  const p = Math.exp(epsilon0);
  const expEpsilon = Math.exp(epsilon);
  const telling = 2 / (p + domain - 1);
  const other = (domain - 2) / (p + domain - 3);
  const high = p - expEpsilon;
  const low = 1 - p * expEpsilon;
  let sum = 0;
  const spread = Math.sqrt(users * telling * (1 - telling));
  const most = Math.min(users, users * telling + 14 * spread);
  for (let m = Math.max(1, Math.floor(users * telling - 12 * spread)); m <= most; m++) {
    const logM = logBinomialPmf(m, users, telling);
    const rest = users - m;
    const reach = 12 * Math.sqrt(rest * other * (1 - other));
    const last = Math.min(rest, rest * other + reach);
    for (let c = Math.max(0, Math.floor(rest * other - reach)); c <= last; c++) {
      const probability = Math.exp(logM + logBinomialPmf(c, rest, other));
      if (probability < 1e-24) continue;
      const base = low * m + (1 - expEpsilon) * c;
      const k = Math.max(0, Math.floor(-base / (high - low)) + 1);
      if (k > m) continue;
      const tail = (at: number, trials: number): number => (at <= 0 ? 1 : binomialTail(at, trials, 0.5));
      sum += probability * ((high - low) * (m / 2) * tail(k - 1, m - 1) + base * tail(k, m));
    }
  }
  return sum / users;
}
