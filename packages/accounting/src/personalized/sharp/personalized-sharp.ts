/**
 * The sharp bound for budgets of the users' own (docs/personalized.md, the corollary): the others count by an
 * average over their budgets, and only a buffer of some of them by what their laws have in common. For
 * outputs that are points, where all values that a user may hold are listed.
 */
import { onceEach, Real, type OtherInput } from '@shuffle-dp/core';
import { inputBound, type Effort, type SharpParameters } from '../../sharp/input-bound.ts';
import { isCovered, prepareInput, type PreparedInput } from '../../sharp/prepared-input.ts';
import { descended } from '../../sharp/search/descent.ts';
import { searchParameters } from '../../sharp/search/parameter-search.ts';
import { FEWEST_USERS } from '../../sharp/pair-bound.ts';
import { worstEpsilonNear } from '../../search/epsilon-near.ts';
import type { BudgetGroup, VictimPair } from '../budget-group.ts';
import { chooseReferences } from '../blanket/reference-density.ts';
import { levelsBeside, splitOthers, type PersonalSetting, type SplitOthers } from './split-others.ts';

/** Of more levels a quick evaluation has to do: it costs a thousandth of epsilon. */
const MANY_LEVELS = 4;
/** Of the variance of the gains: where the blanket keeps more of it there is nothing to gain. */
const WORTH_IT = 0.99;
/** Relative, of epsilon; and how far below delta, in logarithms, the first look may be. */
const [TOLERANCE, SLACK] = [1e-4, 1e-3];

/** Efforts that are tried first, and the share of the target at which one of them will do. */
const CHEAPER: readonly Effort[] = ['rough', 'sketchy'];
const NEGLIGIBLE = 2e-4;

/**
 * Upper bound of the epsilon at `delta` of one user of group `victim`, everybody else's values being
 * anything; null where the bound is of no use: for outputs in cells, where not all values are listed, or
 * where it would hardly be below the blanket's.
 * @param blanket the epsilon that `personalizedBlanketEpsilon` gives
 * @param memory is written to: what one victim's search leaves to the next
 */
export function personalizedSharpEpsilon(
  groups: readonly BudgetGroup[],
  victim: number,
  delta: number,
  blanket: number,
  memory: SplitMemory = {},
): number | null {
  if (!(delta > 0 && delta < 1 && blanket > 0 && blanket < Infinity)) return null;
  if (!groups.every(({ nested, blanket: { densities } }) => nested === true && densities === undefined))
    return null;
  let worst = 0;
  for (const pair of groups[victim]!.pairs) {
    const epsilon = pairEpsilon(groups, victim, pair, { delta, blanket, memory });
    if (epsilon === null) return null;
    worst = Math.max(worst, epsilon);
  }
  return worst < blanket ? worst : null;
}

function pairEpsilon(
  groups: readonly BudgetGroup[],
  victim: number,
  pair: VictimPair,
  { delta, blanket, memory }: PersonalTarget,
): number | null {
  const setting = settingOf(groups, victim, pair, delta);
  if (setting === null) return null;
  const { share: gain, scale } = variances(setting);
  if (!(gain < WORTH_IT)) return null;
  const near = blanket * (memory.gain ?? Math.sqrt(gain) * 1.005);
  const chosen = memory.chosen
    ? rescaled(memory.chosen, setting, scale)
    : chosenParameters(setting, near, delta);
  if (chosen === null) return null;
  memory.chosen ??= { ...chosen, scale };
  const bound = onceEach((epsilon) => averageBound(setting, epsilon, delta, chosen));
  const search = { near, tolerance: TOLERANCE, slack: SLACK, epsilonMax: blanket };
  const found = worstEpsilonNear([bound], delta, 'upper', search);
  if (found === null) return null;
  memory.gain = found.value / blanket;
  return found.value;
}

interface PersonalTarget {
  readonly delta: number;
  readonly blanket: number;
  readonly memory: SplitMemory;
}

/** What one victim's search leaves to the next; any gives a bound. */
export interface SplitMemory {
  /** Parameters, and the deviation of the gains that they suited. */
  chosen?: ChosenSplit & { readonly scale: number };
  /** The epsilon over that of the blanket. */
  gain?: number;
}

/** The same split; the tilt for gains of another size. */
function rescaled(
  { parameters, scale }: NonNullable<SplitMemory['chosen']>,
  setting: PersonalSetting,
  own: number,
): ChosenSplit {
  const split = splitOthers(setting, parameters.buffer);
  return within({ ...parameters, theta: (parameters.theta * scale) / own }, setting.users, split);
}

function settingOf(
  groups: readonly BudgetGroup[],
  victim: number,
  pair: VictimPair,
  delta: number,
): PersonalSetting | null {
  const others = groups.map(({ users }, g) => (g === victim ? users - 1 : users));
  const users = others.reduce((sum, count) => sum + count, 1);
  if (users < FEWEST_USERS) return null;
  const found = chooseReferences(groups, victim, pair, 1e-3 * delta).find(({ atoms }) =>
    atoms.others.every((mass) => mass > 0),
  );
  if (found === undefined) return null;
  const reference = Float64Array.from(found.atoms.others);
  return { pair, users, reference, shares: found.shares, groups, others };
}

/**
 * The variance of the gains of the others' own laws over that of the blanket, at epsilon 0, and the widest's
 * deviation.
 */
function variances({ pair, reference, shares, groups, others, users }: PersonalSetting): {
  readonly share: number;
  readonly scale: number;
} {
  const { first, second } = pair;
  const square = (law: Float64Array): number =>
    law.reduce((sum, mass, y) => sum + (first.masses[y]! - second.masses[y]!) ** 2 / mass, 0);
  const own = groups.map(({ held }) => Math.max(...held.map(square)));
  const mean = (values: ArrayLike<number>): number =>
    others.reduce((sum, count, g) => sum + (count > 0 ? (count / (users - 1)) * values[g]! : 0), 0);
  const most = Math.max(...own.filter((_, g) => others[g]! > 0));
  return { share: (mean(own) * mean(shares)) / square(reference), scale: Math.sqrt(most) };
}

/** Parameters, with the split that they need. */
export interface ChosenSplit {
  readonly parameters: SharpParameters;
  readonly share: number;
}

/**
 * The bound of the corollary: what every level contributes by its worst value, averaged over the users
 * outside of the buffer; in both orders of the pair where they differ.
 */
export function averageBound(
  setting: PersonalSetting,
  epsilon: number,
  target: number,
  { parameters, share }: ChosenSplit,
  given?: Effort,
): number {
  const levels = levelsBeside(setting, parameters.buffer).toReversed();
  const effort = given ?? (levels.length > MANY_LEVELS ? 'quick' : 'fine');
  const rest = setting.users - 1 - parameters.buffer;
  let most = 0;
  for (const pair of ordersOf(setting.pair)) {
    let average = 0;
    for (const { users, held } of levels) {
      const bounds = held.map((own) => wholeBound(inputOf(setting, pair, own, share), users / rest));
      average += (users / rest) * Math.max(...bounds);
    }
    most = Math.max(most, average * (1 + 1e-12));
  }
  return Math.min(1, most);

  /** Infinity where it is cut at what no divergence exceeds: an average may not be taken of what is cut. */
  function wholeBound(input: OtherInput, weight: number): number {
    if (!isCovered(input)) return Infinity;
    const prepared = prepareInput(input, Real.exp(epsilon), setting.users);
    let bound = Infinity;
    // Small budgets hide so well that a rough bound is next to nothing.
    for (const how of [...CHEAPER, effort]) {
      bound = Math.min(bound, inputBound(prepared, setting.users, parameters, target, how));
      if (weight * bound <= NEGLIGIBLE * target) break;
    }
    return bound >= prepared.excess && !prepared.isNothing ? Infinity : bound;
  }
}

type Order = Pick<VictimPair, 'first' | 'second'>;

function ordersOf({ first, second, symmetric }: VictimPair): readonly Order[] {
  return symmetric
    ? [{ first, second }]
    : [
        { first, second },
        { first: second, second: first },
      ];
}

/** Outputs with the same masses are one. */
function inputOf(
  { reference }: PersonalSetting,
  { first, second }: Order,
  own: Float64Array,
  share: number,
): OtherInput {
  const columns = new Map<string, [number, number, number, number]>();
  reference.forEach((mass, y) => {
    const column: [number, number, number, number] = [
      first.masses[y]!,
      second.masses[y]!,
      own[y]!,
      mass * share,
    ];
    const known = columns.get(column.join(' '));
    if (known) column.forEach((part, i) => (known[i]! += part));
    else columns.set(column.join(' '), column);
  });
  const masses = (i: number): Float64Array => Float64Array.from(columns.values(), (column) => column[i]!);
  return { label: '', victim0: masses(0), victim1: masses(1), own: masses(2), blanket: masses(3) };
}

/**
 * First for a share that a large buffer could have, then for that of the buffer which is found. Any give a
 * bound.
 */
function chosenParameters(setting: PersonalSetting, epsilon: number, target: number): ChosenSplit | null {
  const { users, pair } = setting;
  let split = splitOthers(setting, users / 8);
  let chosen: ChosenSplit | null = null;
  for (let round = 0; round < 2; round++) {
    const inputs = levelsBeside(setting, 0).flatMap(({ held }) =>
      held.map((own) => inputOf(setting, pair, own, split.share)),
    );
    if (!inputs.every(isCovered)) return null;
    const prepared = inputs.map((input) => prepareInput(input, Real.exp(epsilon), users));
    const found = searchParameters([widest(prepared)], users, target, { known: chosen?.parameters });
    if (found === null) return null;
    chosen = within(found.parameters, users, split);
    split = splitOthers(setting, chosen.parameters.buffer);
  }
  if (chosen === null) return null;
  const start = within(chosen.parameters, users, split);
  const boundOf = (parameters: SharpParameters) => {
    const tried = within(parameters, users, splitOthers(setting, parameters.buffer));
    return { value: averageBound(setting, epsilon, target, tried, 'coarse'), ...tried };
  };
  const { parameters, share } = descended(boundOf, boundOf(start.parameters), users, 0);
  return { parameters, share };
}

/** The input whose gains vary most: it is most of the average, far out in the tail. */
function widest(inputs: readonly PreparedInput[]): PreparedInput {
  const variance = ({ gains }: PreparedInput): number =>
    gains.values.reduce((sum, value, i) => sum + gains.probabilities[i]! * value * value, 0);
  return inputs.reduce((most, input) => (variance(input) > variance(most) ? input : most));
}

/** With no more users in the buffer than may be, and an even number beside it. */
function within(parameters: SharpParameters, users: number, { share, capacity }: SplitOthers): ChosenSplit {
  let buffer = Math.min(parameters.buffer, capacity, users - 3);
  if ((users - 1 - buffer) % 2 !== 0) buffer += buffer > 0 ? -1 : 1;
  return { parameters: { ...parameters, buffer }, share };
}
