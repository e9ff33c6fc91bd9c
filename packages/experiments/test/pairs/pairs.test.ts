// That all pairs run; how well they keep to their formulas is measured by the long test.
import { expect, it } from 'vitest';
import { PROTOCOL_CARDS } from '../../src/config/protocol-cards.ts';
import { everyPair, measured } from './pairs.ts';

const TRIALS = 2;

/** Errors of which no closed form is known here. */
const WITHOUT_FORMULA = [
  'categories ranges block-hadamard',
  'categories ranges balls-into-bins-histogram',
  'categories ranges frequency hadamard',
  'categories ranges frequency local-hash',
  'categories ranges frequency subset',
  'identifiers heavy-hitters hashed-bits',
  'identifiers heavy-hitters prefix-tree',
];

const pairs = everyPair();

function kindOfPair({ config }: (typeof pairs)[number]): string {
  return (config as { readonly protocols: readonly { kind: string }[] }).protocols[0]!.kind;
}

it('every protocol of the registries is in a pair, on one path at least', () => {
  const kinds = new Set(pairs.map(kindOfPair));
  expect([...kinds].toSorted()).toEqual(PROTOCOL_CARDS.map(({ kind }) => kind as string).toSorted());
  expect(new Set(pairs.map(({ name }) => name)).size).toBe(pairs.length);
  for (const { paths } of pairs) expect(paths.length).toBeGreaterThan(0);
});

it('cards say of which protocols messages have to be made, whatever their parameters', () => {
  const counted = new Set(pairs.filter(({ paths }) => paths.includes('aggregated')).map(kindOfPair));
  const others = new Set(pairs.map(kindOfPair).filter((kind) => !counted.has(kind)));
  const told = PROTOCOL_CARDS.filter(({ messagesOnly }) => messagesOnly).map(({ kind }) => kind as string);
  expect(told.toSorted()).toEqual([...others].toSorted());
});

it('every pair of a task and a protocol runs on all its paths, with a formula but for those known to have none', () => {
  const without = new Set<string>();
  for (const pair of pairs)
    for (const path of pair.paths) {
      const { excess, errors } = measured(pair, path, TRIALS);
      expect(errors.map(({ mean }) => mean).filter((mean) => !Number.isFinite(mean))).toEqual([]);
      if (excess === null) without.add(pair.name);
    }
  expect([...without].toSorted()).toEqual(WITHOUT_FORMULA.toSorted());
});
