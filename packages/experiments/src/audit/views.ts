/**
 * Scores of what the adversary sees, in either of two worlds that differ in the victim's input. A high score
 * speaks for the first world. Which data set the others hold, and which inputs the victim, is part of what is
 * scored and known to the adversary.
 */
import { sampleBinomial, type LikelihoodAtoms, type RandomStream } from '@shuffle-dp/core';
import type { AuditedMessages, Likelihood } from './audited-messages.ts';

/** What the other users hold: one input all, or the victim's two by halves. */
export type OthersHold = 'a third input' | "the victim's first input" | "both of the victim's inputs";

/** Scores of one view, in this order. */
export const SCORES = [
  'likelihood ratio of the histogram',
  "likelihood ratio of the message at the victim's place",
  'messages that speak for the first input',
] as const;

/** Its number among the scores. */
export const LIKELIHOOD_RATIO = 0;

export type World = 0 | 1;

/** A source of views; `pairs` numbers its victims' inputs. */
export interface ViewSource {
  readonly dataSets: readonly OthersHold[];
  readonly pairs: number;
  /** Number of scores that a view has. */
  readonly scores: number;
  /** The first score is the logarithm of the likelihood ratio, as stated and, of mixed data, about. */
  readonly hasRatio: boolean;
  /** Trials of a view's cost that take some milliseconds. */
  readonly trialsAtOnce: number;
  /** The scores of so many trials, one after the other: `scores` numbers each. */
  draw(world: World, dataSet: OthersHold, pair: number, trials: number, stream: RandomStream): Float64Array;
}

/** Messages that a chunk draws, about. */
const CHUNK_MESSAGES = 2 ** 18;

/** All users' messages are drawn by the program, and shuffled by it. The victim is the first user. */
export function messageViews(messages: AuditedMessages, users: number): ViewSource {
  const inputs = new Float64Array(users);
  return {
    dataSets: [
      ...(messages.hasThird ? (['a third input'] as const) : []),
      "the victim's first input",
      ...(users > 2 ? (["both of the victim's inputs"] as const) : []),
    ],
    pairs: messages.triples.length,
    scores: SCORES.length,
    hasRatio: true,
    trialsAtOnce: Math.max(8, Math.floor(CHUNK_MESSAGES / users)),
    draw(world, dataSet, pair, trials, stream) {
      const triple = messages.triples[pair]!;
      const { first, second, third } = triple;
      if (dataSet === 'a third input') inputs.fill(third);
      else inputs.fill(first);
      if (dataSet === "both of the victim's inputs") inputs.fill(second, 1 + (users >> 1));
      inputs[0] = world === 0 ? first : second;
      const scores = new Float64Array(SCORES.length * trials);
      for (let trial = 0; trial < trials; trial++) {
        const under = messages.draw(inputs, stream);
        const own = { first: under(triple.first), second: under(triple.second) };
        const others = othersLikelihood(own, dataSet === 'a third input' ? under(third) : null, dataSet);
        score(own, others, users, scores, SCORES.length * trial);
      }
      return scores;
    },
  };
}

interface OwnLikelihoods {
  readonly first: Likelihood;
  readonly second: Likelihood;
}

/** Of a message of one of the other users, drawn by lot. */
function othersLikelihood(
  { first, second }: OwnLikelihoods,
  third: Likelihood | null,
  dataSet: OthersHold,
): Likelihood {
  if (third !== null) return third;
  return dataSet === "the victim's first input" ? first : (i) => (first(i) + second(i)) / 2;
}

function score(
  { first, second }: OwnLikelihoods,
  others: Likelihood,
  users: number,
  scores: Float64Array,
  at: number,
): void {
  let [sum0, sum1, speaking] = [0, 0, 0];
  for (let i = 0; i < users; i++) {
    const [under0, under1, usual] = [first(i), second(i), others(i)];
    // A message that nobody else can send decides; one that nobody at all can is left to the other scores.
    if (under0 > 0) sum0 += usual > 0 ? under0 / usual : Infinity;
    if (under1 > 0) sum1 += usual > 0 ? under1 / usual : Infinity;
    if (under0 > under1) speaking++;
  }
  scores[at] = logRatio(sum0, sum1);
  scores[at + 1] = logRatio(first(0), second(0));
  scores[at + 2] = speaking;
}

function logRatio(a: number, b: number): number {
  return a === b ? 0 : Math.log(a) - Math.log(b);
}

/**
 * The victim's message is drawn by the program, the others' as counts of the atoms that are stated: exact for
 * what they are stated to be, at a cost that does not grow with the users.
 * @param atoms of data sets of equal users, by what the others hold
 */
export function aggregatedViews(
  messages: AuditedMessages,
  users: number,
  atoms: ReadonlyMap<OthersHold, LikelihoodAtoms>,
): ViewSource {
  return {
    dataSets: [...atoms.keys()],
    pairs: messages.triples.length,
    scores: 1,
    hasRatio: true,
    trialsAtOnce: 2 ** 14,
    draw(world, dataSet, pair, trials, stream) {
      const { first, second, third } = messages.triples[pair]!;
      const other = dataSet === 'a third input' ? third : first;
      const law = coveredAtoms(atoms.get(dataSet)!);
      const sent = new Float64Array(trials).fill(world === 0 ? first : second);
      const under = messages.draw(sent, stream.fork('victim'));
      const [under0, under1, usual] = [under(first), under(second), under(other)];
      const scores = new Float64Array(trials);
      const counting = stream.fork('others');
      for (let trial = 0; trial < trials; trial++) {
        let [sum0, sum1] = [0, 0];
        let left = users - 1;
        for (let y = 0; y < law.length; y++) {
          const { ratio0, ratio1, share } = law[y]!;
          const count = y === law.length - 1 ? left : sampleBinomial(left, share, counting);
          left -= count;
          sum0 += count * ratio0;
          sum1 += count * ratio1;
        }
        const [own0, own1, others] = [under0(trial), under1(trial), usual(trial)];
        if (own0 > 0) sum0 += others > 0 ? own0 / others : Infinity;
        if (own1 > 0) sum1 += others > 0 ? own1 / others : Infinity;
        scores[trial] = logRatio(sum0, sum1);
      }
      return scores;
    },
  };
}

interface CoveredAtom {
  readonly ratio0: number;
  readonly ratio1: number;
  /** Mass of the others, of what the atoms before leave. */
  readonly share: number;
}

/** The atoms that others show, the rarest first: what is left is then a sum of larger ones, to all digits. */
function coveredAtoms({ victim0, victim1, others }: LikelihoodAtoms): CoveredAtom[] {
  const order = [...others.keys()].filter((y) => others[y]! > 0).toSorted((a, b) => others[a]! - others[b]!);
  let left = order.reduce((sum, y) => sum + others[y]!, 0);
  return order.map((y) => {
    const share = Math.min(1, others[y]! / left);
    left -= others[y]!;
    return { ratio0: victim0[y]! / others[y]!, ratio1: victim1[y]! / others[y]!, share };
  });
}
