/** What each bound of `account` states, as a formula or in a sentence. Names are those of the bounds. */
export const BOUND_STATEMENTS: Readonly<Record<string, string>> = {
  blanket:
    "F1, where the other users show the pointwise infimum of all inputs' laws: delta(epsilon) is at most its value. This is the sharpest upper bound that splits every user's law into a common part and a rest.",
  sharp:
    'Some users form a buffer of blanket messages, all others stay as they are. A data set of any inputs is then bounded by the worst one of equal inputs, and each of these by moments of the smaller of two sums. The bound is within a factor of 1 + O(1/sqrt n) of the best data set known.',
  'popular-input':
    'One of d inputs is held by at least (n - 1)/d of the others. The adversary is told all other messages, and F1 with that input bounds the rest.',
  'two-messages':
    'Where messages are one of two, the worst data set has others of the two extreme laws alone. All numbers of them are gone through, those in a row together: the upper end is a ten-thousandth above the worst.',
  'local-message':
    '`delta = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)` with `mu = 1 / sigma`: the divergence of one message with Gaussian noise, which shuffling cannot increase. Shown where the blanket proves nothing smaller: few users, or a delta below 1e-20.',
  'homogeneous-data':
    'F1 with the law of one input: the exact divergence of the data set whose other users all hold it. The largest over the inputs tried.',
  'mixed-data':
    "The exact divergence of a data set whose other users hold two values, from the multiset's law multiplied out. Shown where it exceeds that of all equal users: up to 64 users and few outputs, or messages that are one of two.",
  'poisson-counts':
    'Counts of Poisson numbers of messages are independent: their divergence is summed exactly.',
  erlingsson: '`epsilon = 12 epsilon0 sqrt(log(1/delta) / n)`',
  'blanket-hoeffding-generic':
    '`delta = r^2 / (4 a g n) (1 - g (1 - e^(-2 a^2 / r^2)))^n` with `a = e^epsilon - 1`, `g = e^-epsilon0` and the range `r = (e^epsilon + 1)(e^epsilon0 - e^-epsilon0)` of the loss',
  'blanket-bennett-generic':
    '`delta = b / (g n log(1 + u)) E[M >= 1; e^(-M (c / b^2) ((1+u) log(1+u) - u))]` for `M ~ Bin(n, g)`, `u = a b / c`, with `g = e^-epsilon0`, the largest loss `b` and its second moment at most `c`',
  'blanket-hoeffding': "As the generic one, with g and r of the mechanism's own blanket.",
  'blanket-bennett': "As the generic one, with g, b and c of the mechanism's own blanket.",
  'clone-closed':
    '`epsilon = log(1 + (p-1)/(p+1) (8 sqrt(p log(4/delta) / n) + 8 p / n))` with `p = e^epsilon0`',
  clone:
    "Every other user sends, with probability `e^-epsilon0`, a copy of one of the victim's two messages: the divergence of the counts, summed exactly.",
  'stronger-clone-closed':
    '`epsilon = log(1 + (p-1) (4 sqrt(2 log(4/delta) / ((p+1) n)) + 4 / n))` with `p = e^epsilon0`',
  'stronger-clone': 'As the clone, with probability `2 / (e^epsilon0 + 1)`.',
  renyi:
    'Renyi differential privacy of integer orders, converted: `epsilon = R(order) + log(1/delta) / (order - 1)`, the least over the orders.',
  'variation-ratio':
    "With `alpha = beta / (p-1)` and `r = alpha p / q`: the victim's message lies in three cells with `(p alpha, alpha, rest)` or `(alpha, p alpha, rest)`, another user's with `(r, r, 1 - 2r)`; the divergence of the counts, summed exactly.",
  'metric-clone':
    'As the clone, with probability `1 / e^reach` for users who are at most the reach away from both inputs of the victim, which are e^separation-indistinguishable.',
  'variation-ratio-exact-beta':
    "As the pair, where the literature prints a beta that is valid but larger than the mechanism's total variation.",
  'variation-ratio-corrected':
    'As the pair, but of the third cell others share only the mass `(1 - alpha - p alpha) / q`; the remainder shows nothing.',
  'variation-ratio-analytic':
    '`epsilon = log(1 + beta (2 s + 1) / (alpha W + beta (W/2 - s) + m (n-1-W) r/(1-2r)))` with `s = sqrt(W log(4/delta) / 2)`, W the Omega of the conditions and `m = 1 - alpha - p alpha`',
  'variation-ratio-analytic-repaired':
    'The same derivation, with the largest value over all numbers of clones from Omega to n - 1.',
  'variation-ratio-asymptotic':
    '`epsilon = log(1 + beta / ((1-v)(p+1) alpha + v) (sqrt(32 log(4/delta) / (r (n-1))) + 4 / (r (n-1))))` with `v = max(0, (4/9)(1-3r)/(1-2r))`',
  'cheu-zhilyaev-original':
    '`epsilon = 2 artanh(sqrt(6.6 log(4/delta) / ((n-1) f (1-f))))` for n - 1 rows of zeros.',
  'balls-into-bins-original': '`epsilon = sqrt(32 log(2/delta) d / ((n-1) s))` for n - 1 uniform messages.',
  'fixed-point-original':
    '`epsilon = max(sqrt(14 (k+1) log(2/delta) / ((n-1) g)), 27 (k+1) / ((n-1) g))` for k + 1 levels and the probability g of a uniform one.',
  'vector-rr-theorem-1':
    'The pair of `variation-ratio` with `p = q = (r/(1-r))^s` and `beta = sum over k > s/2 of C(s, k) (r^k (1-r)^(s-k) - r^(s-k) (1-r)^k)` for s bits, each kept with probability r',
  'variation-ratio-lower':
    "All other users hold one value, and outputs are merged into those likelier under the victim's first input, under the second, and the rest.",
};
