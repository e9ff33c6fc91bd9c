import { describe, expect, it } from 'vitest';
import { composedEpsilon } from '@shuffle-dp/accounting';
import { RandomStream, type SimulationPath } from '@shuffle-dp/core';
import { twoSampleChiSquare } from '@shuffle-dp/core/testkit';
import {
  checkCategoricalTable,
  splitTable,
  type CategoricalTable,
} from '../../src/trees/categorical-table.ts';
import { classifyByVote, correctShare, majorityShare } from '../../src/trees/decision-tree.ts';
import {
  forestRounds,
  trainFederatedForest,
  trainForest,
  type FederatedForestPlan,
} from '../../src/trees/federated-forest.ts';
import { roundsPrivacy, leastMessagesPerUser } from '../../src/trees/rounds-privacy.ts';
import { treeRounds } from '../../src/trees/tree-rounds.ts';
import { randomTable } from './tables.ts';

const table = randomTable(6000, 3, [2, 3, 2, 2, 2, 2], 'forest');
const { train, test } = splitTable(table, 4000, RandomStream.fromSeed('split'));
const stream = RandomStream.fromSeed('train');

/** Attributes that the trees ask, at all. */
const asked = (trees: ReturnType<typeof trainForest>): number[][] =>
  trees.map(({ nodes }) =>
    [...new Set(nodes.flatMap(({ attribute }) => attribute ?? []))].sort((a, b) => a - b),
  );

describe('the parts of a table', () => {
  it('are different users, who keep their rows', () => {
    const numbered: CategoricalTable = {
      users: 200,
      classes: 2,
      classOf: Uint8Array.from({ length: 200 }, (_, user) => user % 2),
      arities: [200],
      columns: [Uint8Array.from({ length: 200 }, (_, user) => user)],
    };
    const parts = splitTable(numbered, 120, RandomStream.fromSeed('parts'));
    const [first, second] = [parts.train.columns[0]!, parts.test.columns[0]!];
    expect([parts.train.users, parts.test.users]).toEqual([120, 80]);
    expect(new Set([...first, ...second]).size).toBe(200);
    expect(parts.train.classOf).toEqual(first.map((user) => user % 2));
    expect(Math.max(...first)).toBeGreaterThan(120);
    expect(() => splitTable(numbered, 200, stream)).toThrow(
      'trainUsers = 200: must be an integer from 1 to 199',
    );
  });
});

describe('the rounds of a tree', () => {
  it.each([
    [8, 5],
    [32, 8],
    [8, 8],
  ] as const)('are the published ones for %d binary attributes and height %d', (attributes, height) => {
    const rounds = treeRounds({
      users: 1000,
      arities: Array.from({ length: attributes }, () => 2),
      classes: 1,
      height,
      messagesPerUser: 4,
    });
    expect(rounds.map(({ pair }) => pair.q)).toEqual(rounds.map((_, level) => 2 ** (level + 1)));
    expect(rounds.map(({ count }) => count)).toEqual(rounds.map((_, level) => attributes - level));
    expect(rounds.reduce((sum, { count }) => sum + count, 0)).toBe(
      (height * (2 * attributes - height + 1)) / 2,
    );
    for (const { pair, users } of rounds) {
      expect([pair.p, pair.beta]).toEqual([Infinity, 1]);
      expect(users).toBe(3001);
    }
  });

  it('bound the cells of every tree by the largest arities', () => {
    const rounds = treeRounds({
      users: 10,
      arities: [2, 5, 3, 2],
      classes: 4,
      height: 3,
      messagesPerUser: 2,
    });
    expect(rounds.map(({ pair }) => pair.q)).toEqual([4 * 5, 4 * 15, 4 * 30]);
  });

  it('compose to the bracket of a hundred times finer lattice', () => {
    // Three levels over four binary attributes, 10,000 users, m = 2: epsilon at delta = 1e-6 is 0.33306557.
    const setting = { users: 10_000, arities: [2, 2, 2, 2], classes: 1, height: 3, messagesPerUser: 2 };
    const rounds = treeRounds(setting);
    const { lower, upper } = composedEpsilon(rounds, 1e-6);
    expect(lower).toBeLessThanOrEqual(0.333065572455);
    expect(upper).toBeGreaterThanOrEqual(0.333065569864);
    expect(upper - lower).toBeLessThan(1e-3 * upper);
    const statement = roundsPrivacy(rounds, 1e-6);
    expect(statement.epsilon).toEqual({ lower: 0, upper });
    expect(statement.unit).toContain('over 9 rounds');
    expect(() => roundsPrivacy(rounds, 0)).toThrow('delta = 0');
  });

  it('meet a target with the least messages', () => {
    const roundsAt = (messagesPerUser: number) =>
      treeRounds({ users: 1000, arities: [2, 2, 2], classes: 2, height: 2, messagesPerUser });
    const options = { relativeWidth: 0.01 };
    const epsilonAt = (messages: number) => roundsPrivacy(roundsAt(messages), 1e-5, options).epsilon.upper;
    for (const target of [100, 0.4, 0.25]) {
      const least = leastMessagesPerUser((m) => [roundsAt(m)], target, 1e-5, options);
      expect(epsilonAt(least)).toBeLessThanOrEqual(target);
      if (target === 100) expect(least).toBe(2);
      else expect(epsilonAt(least - 1)).toBeGreaterThan(target);
    }
    expect(() => leastMessagesPerUser((m) => [roundsAt(m)], 0, 1e-5)).toThrow('epsilon = 0');
    expect(() => leastMessagesPerUser(() => [roundsAt(2)], 0.01, 1e-5, options)).toThrow(
      'more than 1000000 messages per user and round',
    );
  });

  it('of a forest are those of its trees, with the users and attributes of each', () => {
    const plan: FederatedForestPlan = { height: 2, trees: 5, messagesPerUser: 3 };
    const one = forestRounds(train, { ...plan, trees: 1 }, stream);
    expect(one).toEqual(
      treeRounds({ users: 4000, arities: table.arities, classes: 3, height: 2, messagesPerUser: 3 }),
    );
    const forest = trainFederatedForest(train, plan, stream, 'aggregated');
    expect(forest.rounds).toEqual(one.map((round) => ({ ...round, count: 5 * round.count })));
    expect(forest.totalMessagesPerUser).toBe(5 * (6 + 5) * 3);
    // Subsets without the attribute of three values have fewer cells.
    const subsets = forestRounds(
      train,
      { ...plan, attributesPerTree: 2, attributeChoice: 'disjoint', trees: 3 },
      stream,
    );
    const counts = subsets.map(({ pair, count }) => `${count} of ${pair.q}`);
    expect(new Set(counts)).toEqual(new Set(['2 of 9', '1 of 18', '4 of 6', '2 of 12']));
  });
});

describe('federated forests', () => {
  const accuracyAt = (messagesPerUser: number, trees = 1): number =>
    correctShare(
      classifyByVote(
        trainFederatedForest(train, { height: 3, trees, messagesPerUser }, stream, 'aggregated').trees,
        test,
      ),
      test,
    );

  it('get better with a weaker guarantee, up to what is learnt without one', { tags: 'long' }, () => {
    const free = correctShare(classifyByVote(trainForest(train, { height: 3 }, stream), test), test);
    expect(free).toBeGreaterThan(0.9);
    expect(majorityShare(test)).toBeLessThan(0.4);
    const messages = [1000, 30, 2];
    const epsilons = messages.map((messagesPerUser) => {
      const rounds = forestRounds(train, { height: 3, messagesPerUser }, stream);
      return roundsPrivacy(rounds, 1e-6, { relativeWidth: 0.05 }).epsilon.upper;
    });
    const accuracies = messages.map((messagesPerUser) => accuracyAt(messagesPerUser));
    expect(epsilons[0]).toBeLessThan(epsilons[1]!);
    expect(epsilons[1]).toBeLessThan(epsilons[2]!);
    expect(accuracies[0]).toBeLessThan(accuracies[1]! - 0.1);
    expect(accuracies[1]).toBeLessThanOrEqual(accuracies[2]! + 0.01);
    expect(accuracies[2]).toBeGreaterThan(free - 0.01);
  });

  it('vote', () => {
    const free = trainForest(train, { height: 3, trees: 5, attributesPerTree: 4 }, stream);
    expect(free.length).toBe(5);
    expect(correctShare(classifyByVote(free, test), test)).toBeGreaterThan(majorityShare(test));
    const constant = (label: number) => ({ nodes: [{ label, attribute: null, children: [] }] });
    expect(classifyByVote([constant(2), constant(1), constant(1)], test)).toEqual(
      new Uint8Array(2000).fill(1),
    );
    expect(classifyByVote([constant(2), constant(1)], test)).toEqual(new Uint8Array(2000).fill(1));
    expect(() => classifyByVote([], test)).toThrow('trees = "[]"');
  });

  it('have one law on both paths: the tree that is learnt', () => {
    const small = randomTable(60, 2, [2, 2, 2], 'small');
    const tables = (['messages', 'aggregated'] satisfies SimulationPath[]).map((path) => {
      const seen = new Map<string, number>();
      for (let trial = 0; trial < 400; trial++) {
        const { trees } = trainFederatedForest(
          small,
          { height: 2, messagesPerUser: 3, caution: 0.5 },
          RandomStream.fromSeed(`${path} ${trial}`),
          path,
        );
        const key = trees[0]!.nodes.map(({ label, attribute }) => attribute ?? `=${label}`).join();
        seen.set(key, (seen.get(key) ?? 0) + 1);
      }
      return seen;
    });
    const keys = [...new Set(tables.flatMap((seen) => [...seen.keys()]))].sort();
    expect(keys.length).toBeGreaterThan(5);
    const [a, b] = tables.map((seen) => keys.map((key) => seen.get(key) ?? 0));
    // Significance 1e-6; seeds are fixed.
    expect(twoSampleChiSquare(a!, b!).pValue).toBeGreaterThan(1e-6);
  });

  it.each(['messages', 'aggregated'] as const)('repeat with the stream, by %s', (path) => {
    const learn = (seed: string) =>
      trainFederatedForest(
        train,
        { height: 2, messagesPerUser: 50, trees: 2 },
        RandomStream.fromSeed(seed),
        path,
      );
    expect(learn('a')).toEqual(learn('a'));
    expect(learn('a').trees[0]).not.toEqual(learn('a').trees[1]);
    expect(learn('a').trees).not.toEqual(learn('b').trees);
  });

  it('ask disjoint or random attributes, the same with and without privacy', () => {
    const plan = { height: 1, trees: 3, attributesPerTree: 2, minimumUsers: 1, caution: 0 } as const;
    const disjoint = asked(trainForest(train, { ...plan, height: 2, attributeChoice: 'disjoint' }, stream));
    expect(disjoint.flat().length).toBe(6);
    expect(new Set(disjoint.flat()).size).toBe(6);
    const random = { ...plan, height: 2, trees: 40 };
    const free = asked(trainForest(train, random, stream));
    expect(new Set(free.map((attributes) => attributes.join())).size).toBeGreaterThan(8);
    const shuffled = asked(
      trainFederatedForest(train, { ...random, messagesPerUser: 2 }, stream, 'aggregated').trees,
    );
    shuffled.forEach((attributes, tree) => {
      const both = new Set([...attributes, ...free[tree]!]);
      expect(both.size).toBeLessThanOrEqual(2);
    });
  });

  it('refuse plans and tables that make no sense', () => {
    const learn = (plan: Partial<FederatedForestPlan>, data: CategoricalTable = train) =>
      trainFederatedForest(data, { height: 2, messagesPerUser: 2, ...plan }, stream, 'aggregated');
    expect(() => learn({ trees: 0 })).toThrow('trees = 0');
    expect(() => learn({ attributesPerTree: 7 })).toThrow(
      'attributesPerTree = 7: must be an integer from 1 to 6',
    );
    expect(() => learn({ trees: 4, attributesPerTree: 2, attributeChoice: 'disjoint' })).toThrow(
      'attributesPerTree = 2: must be at most 1 for 4 disjoint trees of 6 attributes',
    );
    expect(() => learn({ messagesPerUser: 1 })).toThrow('messagesPerUser = 1');
    expect(() => learn({ height: 7 })).toThrow('height = 7: must be an integer from 1 to 6');
    const broken = (changes: Partial<CategoricalTable>) => () =>
      checkCategoricalTable({ ...table, ...changes });
    expect(broken({ classes: 1 })).toThrow('classes = 1');
    expect(broken({ classes: 2 })).toThrow(/classOf\[\d+\] = 2: must be below 2/u);
    expect(broken({ arities: [2, 2, 2, 2, 2, 2] })).toThrow(/columns\[1\]\[\d+\] = 2: must be below 2/u);
    expect(broken({ arities: [2] })).toThrow('columns = 6: must be 1, one per arity');
    expect(broken({ arities: [1, 3, 2, 2, 2, 2] })).toThrow('arities[0] = 1');
    expect(broken({ users: 5999 })).toThrow('classOf.length = 6000: must be 5999');
  });
});
