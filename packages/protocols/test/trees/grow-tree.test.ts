import { describe, expect, it } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import type { CategoricalTable } from '../../src/trees/categorical-table.ts';
import { exactHistogram, type CellHistogram } from '../../src/trees/cell-histogram.ts';
import { classifyByTree, correctShare, type DecisionTree } from '../../src/trees/decision-tree.ts';
import { growTree } from '../../src/trees/grow-tree.ts';
import { treeRounds } from '../../src/trees/tree-rounds.ts';
import { randomTable } from './tables.ts';

interface Branch {
  readonly label: number;
  readonly attribute?: number;
  readonly children?: readonly Branch[];
}

/** The tree as it is defined: node by node, from lists of users, by the Gini impurity itself. */
function bruteForce(
  table: CategoricalTable,
  users: readonly number[],
  unused: readonly number[],
  height: number,
  inherited: number | null,
): Branch {
  const { classes, classOf, columns, arities } = table;
  const countsOf = (some: readonly number[]): number[] =>
    Array.from({ length: classes }, (_, c) => some.filter((user) => classOf[user] === c).length);
  const impurity = (some: readonly number[]): number =>
    some.length === 0 ? 0 : 1 - countsOf(some).reduce((sum, count) => sum + (count / some.length) ** 2, 0);
  const counts = countsOf(users);
  const most = Math.max(...counts);
  const label = inherited !== null && counts[inherited] === most ? inherited : counts.indexOf(most);
  if (height === 0 || users.length < 2) return { label };
  const parts = (attribute: number): number[][] =>
    Array.from({ length: arities[attribute]! }, (_, value) =>
      users.filter((user) => columns[attribute]![user] === value),
    );
  let best: { attribute: number; gain: number } | null = null;
  for (const attribute of unused) {
    const after = parts(attribute).reduce((sum, part) => sum + part.length * impurity(part), 0);
    const gain = users.length * impurity(users) - after;
    if (gain > (best?.gain ?? 0) + 1e-6) best = { attribute, gain };
  }
  if (best === null) return { label };
  const { attribute } = best;
  const rest = unused.filter((other) => other !== attribute);
  return {
    label,
    attribute,
    children: parts(attribute).map((part) => bruteForce(table, part, rest, height - 1, label)),
  };
}

function nested({ nodes }: DecisionTree, index = 0): Branch {
  const { label, attribute, children } = nodes[index]!;
  if (attribute === null) return { label };
  return { label, attribute, children: children.map((child) => nested({ nodes }, child)) };
}

const everyUser = ({ users }: CategoricalTable): number[] => Array.from({ length: users }, (_, user) => user);

describe('growth of a tree', () => {
  it.each([
    [300, 2, [2, 2, 2, 2, 2]],
    [200, 3, [2, 3, 4, 2]],
    [60, 4, [3, 3, 2]],
    [12, 2, [2, 5, 2]],
  ] as const)(
    'from exact counts is the tree by definition: %d users, %d classes, arities %j',
    (users, classes, arities) => {
      for (let seed = 0; seed < 5; seed++) {
        const table = randomTable(users, classes, arities, `${users} ${seed}`);
        const attributes = arities.map((_, attribute) => attribute);
        for (let height = 1; height <= arities.length; height++) {
          const tree = growTree(table, attributes, { height }, exactHistogram);
          expect(nested(tree)).toEqual(bruteForce(table, everyUser(table), attributes, height, null));
        }
      }
    },
  );

  it('asks only the attributes it may', () => {
    const table = randomTable(300, 2, [2, 2, 2, 2], 'some');
    const tree = growTree(table, [1, 3], { height: 2 }, exactHistogram);
    for (const { attribute } of tree.nodes) expect([null, 1, 3]).toContain(attribute);
  });

  it('stops at nodes with few users', () => {
    const table = randomTable(300, 2, [2, 2, 2, 2], 'few');
    const sizes = (minimumUsers: number): number => {
      const tree = growTree(table, [0, 1, 2, 3], { height: 4, minimumUsers }, exactHistogram);
      return tree.nodes.length;
    };
    expect(sizes(301)).toBe(1);
    expect(sizes(300)).toBe(3);
    expect(sizes(2)).toBeGreaterThan(15);
  });

  it('asks what the rounds say: so many queries of so many cells a level, every user in one of them', () => {
    const arities = [2, 4, 3, 2];
    const table = randomTable(400, 3, arities, 'queries');
    const asked: string[] = [];
    const spy: CellHistogram = (cells, bins, level, query) => {
      asked.push(`level ${level} query ${query}: ${bins}`);
      expect(cells.length).toBe(table.users);
      expect(Math.max(...cells)).toBeLessThan(bins);
      return exactHistogram(cells, bins, level, query);
    };
    growTree(table, [0, 1, 2, 3], { height: 3 }, spy);
    const rounds = treeRounds({ users: 400, arities, classes: 3, height: 3, messagesPerUser: 2 });
    expect(asked).toEqual(
      rounds.flatMap(({ pair, count }, level) =>
        Array.from({ length: count }, (_, query) => `level ${level} query ${query}: ${pair.q}`),
      ),
    );
  });

  it('shows one cell of a user per query: replacing a user changes no other cell', () => {
    const table = randomTable(200, 2, [2, 3, 2, 2], 'replace');
    const replaced: CategoricalTable = {
      ...table,
      classOf: table.classOf.with(7, 1 - table.classOf[7]!),
      columns: table.columns.map((column) => column.with(7, 1 - (column[7]! & 1))),
    };
    const seen: Uint16Array[] = [];
    const rules = { height: 4, minimumUsers: 20 };
    const answers: ReturnType<CellHistogram>[] = [];
    growTree(table, [0, 1, 2, 3], rules, (cells, bins, level, query) => {
      seen.push(cells);
      answers.push(exactHistogram(cells, bins, level, query));
      return answers.at(-1)!;
    });
    // The same answers to both: what the adversary has seen so far is the same, and the next message is
    // compared.
    let query = 0;
    growTree(replaced, [0, 1, 2, 3], rules, (cells) => {
      const before = seen[query]!;
      const changed = everyUser(table).filter((user) => cells[user] !== before[user]);
      expect(changed.every((user) => user === 7)).toBe(true);
      return answers[query++]!;
    });
    expect(query).toBe(seen.length);
    expect(query).toBe(4 + 3 + 2 + 1);
  });

  it('learns nothing from noise alone, and does not split on it where it is cautious', () => {
    const stream = RandomStream.fromSeed('classes and noise');
    const table = randomTable(2000, 2, [2, 2, 2, 2], 'noise');
    const shapeless = { ...table, classOf: table.classOf.map(() => stream.integerBelow(2)) };
    const noisy: CellHistogram = (cells, bins, level, query) => {
      const { counts } = exactHistogram(cells, bins, level, query);
      return {
        counts: counts.map((count) => count + 100 * (2 * stream.next() - 1) * Math.sqrt(3)),
        variance: 1e4,
      };
    };
    const tree = growTree(shapeless, [0, 1, 2, 3], { height: 4, caution: 10 }, noisy);
    expect(tree.nodes.length).toBe(1);
    expect(correctShare(classifyByTree(tree, shapeless), shapeless)).toBeLessThan(0.55);
  });

  it('refuses heights and sizes that make no sense', () => {
    const table = randomTable(50, 2, [200, 200, 2], 'refuse');
    const grow = (attributes: number[], rules: object) =>
      growTree(table, attributes, { height: 1, ...rules }, exactHistogram);
    expect(() => grow([0, 1], { height: 3 })).toThrow('height = 3: must be an integer from 1 to 2');
    expect(() => grow([0, 1], { height: 2 })).toThrow('cells at the last level = 80000');
    expect(() => grow([2], { minimumUsers: 0 })).toThrow('minimumUsers = 0');
    expect(() => grow([2], { caution: -1 })).toThrow('caution = -1');
  });
});
