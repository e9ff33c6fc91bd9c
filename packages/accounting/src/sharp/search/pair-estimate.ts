/** About where the bound of a pair of the victim's inputs meets a delta, by estimates alone. */
import type { TypedPair } from '@shuffle-dp/core';
import type { Allowance } from '../../allowance.ts';
import type { SharpParameters } from '../input-bound.ts';
import { evened, FEWEST_USERS } from '../pair-bound.ts';
import { hidingUsers, preparedInputs, type HidingUsers, type LabelledInput } from '../pair-inputs.ts';
import {
  estimatedEpsilon,
  type EstimatedEpsilon,
  type InputsAt,
  type KnownParameters,
} from './estimated-epsilon.ts';

/** Parameters are chosen anew where epsilon has moved by this much of itself since they were. */
export const SEARCH_AGAIN = 0.005;

/** Share of an allowance that estimates leave. */
const FOR_BOUNDS = 0.5;

export interface SharpEpsilonOptions {
  /** Some proved lower and upper end of epsilon: where the search starts, and where it is given up. */
  readonly lower: number;
  readonly upper: number;
  /** What the search may take: beyond it ends with what it has. */
  readonly work?: Allowance | undefined;
}

/** What is known before; a search that found something did so at the lower end, which the bound exceeds. */
export interface EstimateStart extends Omit<KnownParameters, 'isNear'> {
  /** Where an estimate with the parameters ended. */
  readonly at?: number;
  /** How near to where it meets the delta an estimate comes, relative to epsilon. */
  readonly near?: number;
}

/** Null where estimates say nothing; 'hopeless' where no epsilon below the upper end will do. */
export type PairEstimate = EstimatedEpsilon | 'hopeless' | null;

export function pairEstimate(
  pair: TypedPair,
  all: number,
  delta: number,
  { lower, upper, work }: SharpEpsilonOptions,
  { known, found, at, near = SEARCH_AGAIN }: EstimateStart = {},
): PairEstimate {
  const hiding = hidingUsers(pair, all, delta);
  const { users } = hiding;
  if (lower === 0 || users < FEWEST_USERS || delta === 0 || !(lower < upper)) return null;
  const start = at ?? (found ? lower : firstLook({ lower, upper }, known));
  const inputsAt = (epsilon: number): InputsAt | null =>
    work && work.left < work.most * FOR_BOUNDS
      ? null
      : estimable(preparedInputs(pair, users, epsilon, delta, work), hiding);
  const range = { start, lower, upper, near };
  const parameters = known && evened(known, users);
  return estimatedEpsilon(inputsAt, users, delta, range, {
    known: parameters,
    found,
    isNear: at !== undefined,
  });
}

/** The bound is a few percent above the lower end at most; beyond, its own slope leads on. */
export function firstLook({ lower, upper }: SharpEpsilonOptions, known: SharpParameters | undefined): number {
  const ahead = known === undefined ? 1.005 : 1.001;
  return lower > 0 ? Math.min(lower * ahead, (lower + upper) / 2) : upper / 2;
}

function estimable(inputs: readonly LabelledInput[] | null, hiding: HidingUsers): InputsAt | null {
  return inputs && { prepared: inputs.map(({ prepared }) => prepared), charged: chargedOf(inputs, hiding) };
}

/** What is added to the bound of any input. */
export function chargedOf(inputs: readonly LabelledInput[], { missed }: HidingUsers): number {
  return missed + Math.max(...inputs.map(({ charged }) => charged));
}
