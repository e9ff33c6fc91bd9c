/** A bound at one point, proved here or published, as an account lists it. */
import { verdictOfBound, type Interval, type StatedBound, type Verdict } from '@shuffle-dp/core';
import type { EvaluatedBound } from '@shuffle-dp/accounting';

/**
 * Before it is held against what is proved. `value` is the quantity asked for, `sound` the verdict in
 * general.
 */
export interface ListedBound
  extends
    StatedBound,
    Pick<EvaluatedBound, 'source' | 'citation' | 'reason' | 'counterexample' | 'conditions'> {
  /** Of a proved lower end: the data set that attains it. */
  readonly worst?: string;
  /** What a bound with free parameters was evaluated with. */
  readonly parameters?: Readonly<Record<string, number>>;
  /** Of an end whose search stopped at its limit of steps: what was left open, relative to it. */
  readonly open?: number;
}

export interface AccountedBound extends ListedBound {
  /** On the value at these parameters; null where the bound says nothing. */
  readonly verdict: Verdict | null;
}

/** @throws ContradictionError where a bound that is sound in general is refuted here */
export function judged<B extends StatedBound>(
  bounds: readonly B[],
  certified: Interval,
): (B & { readonly verdict: Verdict | null })[] {
  return bounds.map((bound) => ({ ...bound, verdict: verdictOfBound(bound, certified) }));
}
