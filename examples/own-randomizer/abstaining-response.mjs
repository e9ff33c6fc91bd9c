/**
 * A randomizer of your own, in one file: randomized response whose users abstain with a fixed probability.
 *
 * A user sends `domain` ("no answer") with probability `abstain`; otherwise the own category with probability
 * e^epsilon0 / (e^epsilon0 + domain - 1), or another one. Abstaining does not depend on the value, so the local budget stays.
 */
import { sampleBinomial } from '@shuffle-dp/core';
import { countCategories, categoryColumn, generalizedRandomizedResponse } from '@shuffle-dp/randomizers';

/** @param {{ domain: number, epsilon0: number, abstain?: number }} parameters */
export default function abstainingResponse({ domain, epsilon0, abstain = 0.1 }) {
  if (!(abstain >= 0 && abstain < 1)) throw new RangeError(`abstain = ${abstain}: must be in [0, 1)`);
  const answer = generalizedRandomizedResponse({ domain, epsilon0 });
  const own = (1 - abstain) * answer.supportProbability.own;
  const other = (1 - abstain) * answer.supportProbability.other;
  return {
    name: 'abstaining-response',
    domain,
    epsilon0,
    bitsPerMessage: Math.log2(domain + 1),
    supportProbability: { own, other },

    // The user's half.
    allocate: (users) => ({ columns: { value: categoryColumn(domain + 1, users) }, count: 0 }),
    randomizeInto(values, messages, stream) {
      const answers = answer.allocate(values.length);
      answer.randomizeInto(values, answers, stream.fork('answers'));
      const { value } = messages.columns;
      for (let user = 0; user < values.length; user++) {
        value[user] = stream.next() < abstain ? domain : answers.columns.value[user];
      }
      messages.count = values.length;
    },

    // The analyzer's half: counts, estimates that are right on average, and their variance.
    supportCounts: ({ columns, count }) =>
      countCategories(columns.value, count, domain + 1).subarray(0, domain),
    estimate: (counts, users) => Float64Array.from(counts, (c) => (c / users - other) / (own - other)),
    variance: (users, share) =>
      (share * own * (1 - own) + (1 - share) * other * (1 - other)) / (users * (own - other) ** 2),

    // The same counts without messages, all together: who answers is binomial, and the answers are those of randomized response.
    sampleSupportCounts: (histogram, stream) =>
      answer.sampleSupportCounts(
        histogram.map((holders) => sampleBinomial(holders, 1 - abstain, stream)),
        stream,
      ),
    jointSupportCounts: true,

    // What accountants need: the masses of each kind of message for the victim's two values and for everybody else.
    amplification() {
      const atoms = (entries) => ({
        victim0: Float64Array.from(entries, ([mass]) => mass),
        victim1: Float64Array.from(entries, ([, mass]) => mass),
        others: Float64Array.from(entries, ([, , mass]) => mass),
        symmetric: true,
      });
      const rest = (domain - 2) * other;
      return {
        variationRatio: { p: Math.exp(epsilon0), beta: own - other, q: Math.exp(epsilon0) },
        // From above: what every other user is sure to send, whatever they hold.
        blanket: [
          {
            label: 'any two values',
            ...atoms([
              [own, other, other],
              [other, own, other],
              [rest, rest, rest],
              [abstain, abstain, abstain],
            ]),
          },
        ],
        // From below: a data set that can occur, here all others with a third value.
        homogeneous: [
          {
            label: 'all others hold a third value',
            ...atoms([
              [own, other, other],
              [other, own, other],
              [other, other, own],
              [rest - other, rest - other, rest - other],
              [abstain, abstain, abstain],
            ]),
          },
        ],
      };
    },
  };
}
