/**
 * Protocols of a config, seen through what their analyzer tells: its estimates follow from the messages, so
 * what they show, messages do. No likelihood is stated of them. One score is the difference of the estimates
 * of what the victim's two inputs have apart, the other is learnt.
 */
import {
  onceEach,
  ParameterError,
  RandomStream,
  type CategoricalData,
  type SetValuedData,
} from '@shuffle-dp/core';
import type { AnyData } from '../kinds/data-kind.ts';
import { kindOf } from '../kinds/kinds.ts';
import type { Cell } from '../kinds/cell.ts';
import { cellProtocol } from '../trials/cell-protocol.ts';
import { inputTriples } from './audited-messages.ts';
import { learnedScore } from './learned-score.ts';
import type { OthersHold, ViewSource, World } from './views.ts';

const CHUNK_USERS = 2 ** 18;

/** Messages that are drawn to learn from one data set, about, and the trials of a world for it. */
const LEARNING_USERS = 2 ** 21;
const [FEWEST_LEARNT, MOST_LEARNT] = [100, 1000] as const;

const SCORES = 2;

/** What one user may hold: an item, or a set of them, increasing. */
type Held = readonly number[];

interface HeldTriple {
  readonly first: Held;
  readonly second: Held;
  /** Of other users. */
  readonly third: Held;
}

/**
 * @throws ParameterError for other data than categories and sets, and for a path on which estimates have no
 * joint law
 */
export function estimateViews(cell: Cell): ViewSource {
  const { users, domain, simulation } = cell.data;
  const triples = triplesOf(cell);
  if (!kindOf(cell.holds).protocolOf(cell).jointPaths.includes(simulation))
    throw new ParameterError(
      'simulation',
      simulation,
      "'messages' for an audit: without messages the counts are drawn one by one",
    );
  const protocol = cellProtocol(cell);
  const cost = simulation === 'messages' ? users + domain : 64 * domain;
  const dataSets: readonly OthersHold[] = [
    ...(triples.every(({ third }) => third.length > 0) ? (['a third input'] as const) : []),
    "the victim's first input",
  ];
  const featuresOf = (world: World, dataSet: OthersHold, { first, second, third }: HeldTriple) => {
    const others = dataSet === 'a third input' ? third : first;
    const data = neighbour(cell, world === 0 ? first : second, others);
    const own = first.filter((item) => !second.includes(item));
    const other = second.filter((item) => !first.includes(item));
    return (stream: RandomStream): Float64Array => {
      const estimate = protocol.estimate(data, stream);
      const sum = (items: Held): number => items.reduce((total, item) => total + estimate[item]!, 0);
      return Float64Array.of(sum(own), sum(other));
    };
  };
  /** The same in every thread: its trials have streams of their own, which no audit judges. */
  const learnedOf = onceEach((dataSet: OthersHold) => {
    const trials = Math.min(MOST_LEARNT, Math.max(FEWEST_LEARNT, Math.floor(LEARNING_USERS / cost)));
    const stream = RandomStream.fromSeed(`audit learns ${cell.id}`).fork(dataSet);
    const [first, second] = ([0, 1] as const).map((world) =>
      Array.from({ length: trials }, (_, trial) =>
        featuresOf(world, dataSet, triples[trial % triples.length]!)(stream.fork(world).fork(trial)),
      ),
    );
    return learnedScore(first!, second!);
  });
  return {
    dataSets,
    pairs: triples.length,
    scores: SCORES,
    hasRatio: false,
    trialsAtOnce: Math.max(8, Math.floor(CHUNK_USERS / cost)),
    draw(world, dataSet, pair, trials, stream) {
      const features = featuresOf(world, dataSet, triples[pair]!);
      const learnedScoreOf = learnedOf(dataSet);
      const scores = new Float64Array(SCORES * trials);
      for (let trial = 0; trial < trials; trial++) {
        const seen = features(stream.fork(trial));
        scores[SCORES * trial] = seen[0]! - seen[1]!;
        scores[SCORES * trial + 1] = learnedScoreOf(seen);
      }
      return scores;
    },
  };
}

/** @throws ParameterError for data that no audit takes */
function triplesOf(cell: Cell): readonly HeldTriple[] {
  const { domain } = cell.data;
  if (cell.holds === 'categories')
    return inputTriples(domain).map(({ first, second, third }) => ({
      first: [first],
      second: [second],
      third: domain > 2 ? [third] : [],
    }));
  if (cell.holds === 'sets') return setTriples(domain, cell.data.items);
  throw new ParameterError('data', cell.holds, 'categories or sets for an audit');
}

/**
 * Neighbouring sets begin `items` later around the domain, so that they have nothing in common where it is
 * large enough.
 */
function setTriples(domain: number, items: number): HeldTriple[] {
  const beginning = (start: number): Held =>
    Array.from({ length: items }, (_, i) => (start + i) % domain).sort((a, b) => a - b);
  const step = Math.min(items, domain - items);
  return inputTriples(domain).map(({ first }) => ({
    first: beginning(first),
    second: beginning(first + step),
    third: domain >= 3 * items ? beginning(first + 2 * step) : [],
  }));
}

/** The victim is the first user; all others hold one and the same. */
function neighbour(cell: Cell, victim: Held, others: Held): AnyData {
  const { users, domain } = cell.data;
  const histogram = new Float64Array(domain);
  for (const item of others) histogram[item]! += users - 1;
  for (const item of victim) histogram[item]!++;
  if (cell.holds === 'categories') {
    const values = new Uint32Array(users).fill(others[0]!);
    values[0] = victim[0]!;
    return { kind: 'categories', users, domain, histogram, values } satisfies CategoricalData;
  }
  const items = victim.length;
  const rows = new Uint16Array(users * items);
  for (let user = 0; user < users; user++) rows.set(user === 0 ? victim : others, user * items);
  return { kind: 'sets', users, domain, items, histogram, rows } satisfies SetValuedData;
}
