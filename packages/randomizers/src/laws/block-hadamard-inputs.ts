/**
 * Every input that the others may hold beside two values of Hadamard response with blocks
 * (docs/sharp-bound.md): a value of the block of one of the victim's, by how the rows agree, or of another.
 */
import type { OtherInput, TypedInputs, TypedPair } from '@shuffle-dp/core';
import { regionMasses, separateRegions, type Region, type TwoLevelLaw } from './two-level-law.ts';
import { otherInput } from './typed-inputs.ts';

/** By the block's half-blocks: all four are told apart by the two rows of the victim's values. */
type Likely = (first: boolean, second: boolean) => boolean;

const BOTH = [true, false] as const;

/**
 * @param law likely outputs are half of a block
 * @param blocks that hold values; @param values in all
 */
export function blockHadamardInputs(law: TwoLevelLaw, blocks: number, values: number): TypedInputs {
  const pairs: TypedPair[] = [];
  if (blocks > 1) pairs.push(pairOf('values of different blocks', differentBlocks(law, blocks)));
  pairs.push(pairOf('values of one block', oneBlock(law, blocks)));
  return { pairs, domain: values };
}

function pairOf(label: string, inputs: readonly OtherInput[]): TypedPair {
  return { label, inputs, symmetric: true };
}

function differentBlocks(law: TwoLevelLaw, blocks: number): OtherInput[] {
  const { share } = law;
  const rest: Region = [Math.max(0, 1 - 2 * share), false, false, false];
  return [
    input("the victim's first value", law, [[share, true, false, true], [share, false, true, false], rest]),
    input("the victim's second value", law, [[share, true, false, false], [share, false, true, true], rest]),
    input("another value of the first one's block", law, sameBlockRegions(share)),
    input(
      "another value of the second one's block",
      law,
      sameBlockRegions(share).map(([measure, first, second, own]): Region => [measure, second, first, own]),
    ),
    ...(blocks > 2 ? [input('a value of a third block', law, separateRegions(share))] : []),
  ];
}

function oneBlock(law: TwoLevelLaw, blocks: number): OtherInput[] {
  const { share } = law;
  const inBlock = (own: Likely, part = share / 2): Region[] =>
    BOTH.flatMap((first) => BOTH.map((second): Region => [part, first, second, own(first, second)]));
  const outside: Region = [1 - 2 * share, false, false, false];
  return [
    input("the victim's first value", law, [...inBlock((first) => first), outside]),
    input("the victim's second value", law, [...inBlock((_, second) => second), outside]),
    input("the value whose row is the product of the victim's", law, [
      ...inBlock((first, second) => first === second),
      outside,
    ]),
    input('a value of the block with an independent row', law, [
      ...BOTH.flatMap((own) => inBlock(() => own, share / 4)),
      outside,
    ]),
    ...(blocks > 1
      ? [
          input('a value of another block', law, [
            ...inBlock(() => false),
            [share, false, false, true],
            [1 - 3 * share, false, false, false],
          ]),
        ]
      : []),
  ];
}

/**
 * The victim's values are of different blocks, that of the others is of the first one's: their rows agree on
 * half of it.
 */
export function sameBlockRegions(share: number): Region[] {
  return [
    [share / 2, true, false, true],
    [share / 2, true, false, false],
    [share / 2, false, false, true],
    [share, false, true, false],
    [1 - 2.5 * share, false, false, false],
  ];
}

function input(label: string, law: TwoLevelLaw, regions: readonly Region[]): OtherInput {
  return otherInput(label, regionMasses(law, regions));
}
