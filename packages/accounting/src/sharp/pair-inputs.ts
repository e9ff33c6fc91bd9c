/** The inputs of the others of one pair, prepared at an epsilon, and the worst bound of them. */
import {
  binomialUpperEnd,
  keptByKey,
  logBinomialTail,
  onceEach,
  onDemand,
  Real,
  type TypedPair,
} from '@shuffle-dp/core';
import type { Work } from '../allowance.ts';
import type { LossLaw } from '../blanket/loss-law.ts';
import type { MinimumMoments } from './gains/minimum-moments.ts';
import { inputBound, type Effort, type SharpParameters } from './input-bound.ts';
import { isCovered, prepareInput, type PreparedInput } from './prepared-input.ts';
import { exchangedInput, usualOutputs } from './rare-outputs.ts';

/** Users whose inputs are of the types, the victim included, but for a chance `missed`. */
export interface HidingUsers {
  readonly users: number;
  readonly missed: number;
}

/** What may be missed, as a share of the target. */
const NEGLIGIBLE = 1e-5;

/** What was asked for last: pairs of a list mostly have one chance. */
const latest = keptByKey<HidingUsers>(1);

/**
 * Each of the others is revealed by a coin of its own: so many, at most, and they are told to the adversary.
 */
export function hidingUsers(
  { revealed = 0, uncovered = 0 }: TypedPair,
  users: number,
  target: number,
): HidingUsers {
  if (revealed === 0) return { users, missed: uncovered };
  return latest([revealed, uncovered, users, target].join(), () => {
    const most = binomialUpperEnd(users - 1, revealed, Real.log(NEGLIGIBLE * target));
    const more = Real.exp(logBinomialTail(most + 1, users - 1, revealed));
    return { users: users - most, missed: uncovered + more * (1 + 1e-11) };
  });
}

/** An input at one epsilon, prepared when it is first looked at. */
export interface LabelledInput {
  readonly label: string;
  readonly prepared: PreparedInput;
  /** The victim's mass at outputs that were left out. */
  readonly charged: number;
}

/**
 * All inputs, in both directions where they differ. Null where the bound says nothing.
 * @param target about the bound's own size
 * @param work to which all that looks at them adds what it takes
 */
export function preparedInputs(
  { inputs, symmetric, corners }: TypedPair,
  users: number,
  epsilon: number,
  target: number,
  work: Work | null = null,
): LabelledInput[] | null {
  if (!inputs.every(isCovered)) return null;
  const expEpsilon = Real.exp(epsilon);
  // Data may hold any of them.
  const shares = inputs.map(({ hidden = 0 }) => hidden).filter((hidden) => hidden > 0);
  const leastHidden = shares.length > 0 ? Math.min(...shares) : 0;
  const all = (symmetric ? [inputs] : [inputs, inputs.map(exchangedInput)]).flatMap((order) => {
    const { inputs: usual, charged } = usualOutputs(order, expEpsilon, users, target);
    return usual.map((input): LabelledInput => {
      const own = { leastHidden, charged, work };
      const prepared = onDemand(() => ({ ...prepareInput(input, expEpsilon, users), ...own }));
      return {
        label: input.label,
        charged,
        get prepared() {
          return prepared();
        },
      };
    });
  });
  return corners ? withEveryBuffer(all) : all;
}

/**
 * The gains of each corner with the buffers of all: an average of such bounds all that lies between
 * (docs/sharp-bound.md).
 */
function withEveryBuffer(corners: readonly LabelledInput[]): LabelledInput[] {
  const excess = Math.max(...corners.map(({ prepared }) => prepared.excess));
  return corners.map(({ label, charged, prepared }) => {
    const corner = { ...prepared, excess, isNothing: false, isCut: false };
    const buffers = corners.map(({ prepared: { draws, roughDraws } }) => ({ ...corner, draws, roughDraws }));
    return { label, charged, prepared: { ...corner, buffers } };
  });
}

export function knownMoments(): (effort: Effort) => Map<LossLaw, MinimumMoments> {
  return onceEach((_effort: Effort) => new Map<LossLaw, MinimumMoments>());
}

/**
 * From the cheapest on, each with how many times as large as what is compared with a cheaper bound may be for
 * it to be of use, mostly.
 */
const CHEAP: readonly (readonly [effort: Effort, within: number])[] = [
  ['rough', Infinity],
  // Where Chernoff's bound says nothing at all, too.
  ['sketchy', Infinity],
  ['quick', 1.12],
];
/** Among fewer users a quick bound may be far below a sketchy one. */
const FEW_USERS = 500;

/**
 * What a search for an epsilon knows of the inputs. Epsilon only grows from where an input was settled, with
 * the same parameters.
 */
export interface SearchState {
  /** The input that is tried first: likely the worst. */
  first: string;
  /** Numbers of inputs that are below SETTLED of the target, as they are for every larger epsilon. */
  readonly settled: ReadonlySet<number>;
  /** Those that were found to be so now. */
  readonly low: number[];
  /**
   * Where the first input is so far below the target, in log delta, no other one is looked at, and nothing is
   * proved: the epsilon is not yet the one that is looked for.
   */
  readonly alone?: number;
  /**
   * Whether only the side of the target counts: inputs that cheap bounds show to be below it leave the value
   * as it is, which is then at most the target where all inputs are, and no bound of those.
   */
  readonly isLook?: boolean;
}

/** Of a look at one epsilon. @param first the input that is tried first */
export function lookOf(first: string): SearchState {
  return { first, settled: new Set(), low: [], isLook: true };
}

/** Of the target. */
const SETTLED = 0.8;
/** Of it in a look: nearer to it the worst input leads the next look. */
const FAR_ABOVE = 1.1;

/** An upper bound, and what it was found with: null where it is trivial. */
export interface SharpBound {
  readonly value: number;
  readonly parameters: SharpParameters | null;
  /** The input of the others at which the bound is largest, or the pair. */
  readonly worst: string;
  /** Of an epsilon whose search stopped at its limit of steps: what was left open, relative to it. */
  readonly open?: number;
  /** Whether only the first input was looked at, as it is far below the target: no bound of all. */
  readonly isOfFirst?: boolean;
}

/**
 * The largest over all inputs. In a search the first one that is found to be above the target, and a rough
 * bound of inputs that are below it.
 */
export function boundAt(
  inputs: readonly LabelledInput[],
  { users, missed }: HidingUsers,
  parameters: SharpParameters,
  target: number,
  search?: SearchState,
): SharpBound {
  const settled = search !== undefined && search.settled.size > 0 ? SETTLED * target : missed;
  let worst: SharpBound = { value: Math.max(missed, settled), parameters, worst: search?.first ?? '' };
  const moments = knownMoments();
  const order = [...inputs.keys()].filter((i) => !search?.settled.has(i));
  const rank = (i: number): number => Number(inputs[i]!.label === search?.first);
  for (const [place, i] of order.toSorted((a, b) => rank(b) - rank(a)).entries()) {
    const { label, prepared } = inputs[i]!;
    const boundOf = (effort: Effort): number =>
      Math.min(1, inputBound(prepared, users, parameters, target, effort, moments(effort)) + missed);
    // Most inputs are far from the worst, which a rough bound tells.
    let rough = Infinity;
    const compared = search === undefined ? worst.value : Math.max(worst.value, target);
    const enough = search?.isLook ? compared : worst.value;
    for (const [effort, within] of place === 0 ? [] : CHEAP) {
      if (rough < Infinity && rough > within * compared && users >= FEW_USERS) continue;
      rough = Math.min(rough, boundOf(effort));
      if (rough <= enough) break;
    }
    if (rough <= SETTLED * target) search?.low.push(i);
    if (rough <= enough) continue;
    const value = search !== undefined && rough <= target ? rough : boundOf('fine');
    if (value > worst.value) worst = { value, parameters, worst: label };
    if (search !== undefined && value > (search.isLook ? FAR_ABOVE : 1) * target) break;
    if (place === 0 && search?.alone !== undefined && value < target * Real.exp(-search.alone))
      return { ...worst, isOfFirst: true };
  }
  return worst;
}
