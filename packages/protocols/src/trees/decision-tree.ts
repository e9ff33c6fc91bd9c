/** Decision trees over categorical attributes, as plain data, and what they say of a table's users. */
import { ParameterError } from '@shuffle-dp/core';
import type { CategoricalTable } from './categorical-table.ts';

export interface TreeNode {
  /** The class of users who end here. */
  readonly label: number;
  /** The attribute that is asked here; null at a leaf. */
  readonly attribute: number | null;
  /** Index of the node that each value of the attribute leads to; empty at a leaf. */
  readonly children: readonly number[];
}

/** The root is the first node; children stand after their parents. */
export interface DecisionTree {
  readonly nodes: readonly TreeNode[];
}

/** The class that the tree gives each user. */
export function classifyByTree({ nodes }: DecisionTree, table: CategoricalTable): Uint8Array {
  const labels = new Uint8Array(table.users);
  for (let user = 0; user < table.users; user++) {
    let node = nodes[0]!;
    while (node.attribute !== null) node = nodes[node.children[table.columns[node.attribute]![user]!]!]!;
    labels[user] = node.label;
  }
  return labels;
}

/**
 * The class that most trees give each user; of equal ones, the smallest. @throws ParameterError for no trees
 */
export function classifyByVote(trees: readonly DecisionTree[], table: CategoricalTable): Uint8Array {
  if (trees.length === 0) throw new ParameterError('trees', '[]', 'a list of at least one tree');
  const { users, classes } = table;
  const votes = new Uint16Array(users * classes);
  for (const tree of trees) {
    const labels = classifyByTree(tree, table);
    for (let user = 0; user < users; user++) votes[user * classes + labels[user]!]!++;
  }
  return Uint8Array.from({ length: users }, (_, user) => {
    const own = votes.subarray(user * classes, (user + 1) * classes);
    return own.indexOf(Math.max(...own));
  });
}

/** Fraction of the users whose class is the label given. */
export function correctShare(labels: Uint8Array, { users, classOf }: CategoricalTable): number {
  let right = 0;
  for (let user = 0; user < users; user++) if (labels[user] === classOf[user]) right++;
  return right / users;
}

/** Fraction of the users in the largest class: what a tree without splits gets right at best. */
export function majorityShare({ users, classes, classOf }: CategoricalTable): number {
  const counts = new Float64Array(classes);
  for (let user = 0; user < users; user++) counts[classOf[user]!]!++;
  return Math.max(...counts) / users;
}
