/**
 * Lower ends from data sets of two values, for few users and few outputs: some of the others hold one of the
 * victim's inputs, the rest what a homogeneous data set holds. The law of the multiset is multiplied out,
 * user by user, so the divergence is the data set's own (docs/soundness.md, "Mixed data sets").
 */
import {
  Real,
  type Target,
  exactly,
  type AmplificationProfile,
  type LikelihoodAtoms,
  ROUNDOFF,
} from '@shuffle-dp/core';
import type { CertifiedOptions, WorstDataSet } from '../one-round.ts';
import { epsilonAtDelta } from '../privacy-profile.ts';

const MOST_USERS = 64;
/** Entries of one law. */
const MOST_ENTRIES = 60_000;
/** Multiplications for one homogeneous data set, and splits of the users at most. */
const MOST_WORK = 1e7;
const MOST_SPLITS = 16;

/** One data set: the laws of what is seen, for the victim's two inputs. */
interface MixedData {
  readonly label: string;
  readonly first: Float64Array;
  readonly second: Float64Array;
  /** Relative rounding of every probability. */
  readonly rounding: number;
}

/**
 * The worst of the mixed data sets that are tried, where it proves more than `atLeast`; else null. It holds
 * only where every user may hold either of the victim's inputs.
 *
 * @param target at a delta of 0 the worst data set is always homogeneous
 */
export function worstMixedData(
  homogeneous: AmplificationProfile['homogeneous'],
  users: number,
  target: Target,
  atLeast: number,
  { epsilon0 = Infinity }: CertifiedOptions = {},
): WorstDataSet | null {
  if (users < 3 || users > MOST_USERS) return null;
  if ('delta' in target ? target.delta === 0 || target.delta >= 1 : target.epsilon >= epsilon0) return null;
  let worst: WorstDataSet | null = null;
  for (const atoms of homogeneous) {
    for (const { label, first, second, rounding } of mixturesOf(atoms, users)) {
      for (const [p, q] of [
        [first, second],
        [second, first],
      ] as const) {
        const value = valueAt(
          (epsilon) => divergenceFromBelow(p, q, epsilon, rounding),
          target,
          worst?.value ?? atLeast,
          epsilon0,
        );
        if (value > (worst?.value ?? atLeast)) worst = { value, label };
      }
    }
  }
  return worst;
}

/** The quantity asked for; of an epsilon only where it is above `atLeast`. */
function valueAt(
  divergence: (epsilon: number) => number,
  target: Target,
  atLeast: number,
  epsilon0: number,
): number {
  if ('epsilon' in target) return divergence(target.epsilon);
  const { delta } = target;
  if (!(divergence(atLeast) > delta)) return 0;
  return epsilonAtDelta((epsilon) => exactly(divergence(epsilon)), delta, {
    epsilonMax: Math.min(epsilon0, 700),
    relativeTolerance: 1e-9,
  }).lower;
}

function* mixturesOf(atoms: LikelihoodAtoms, users: number): Generator<MixedData> {
  const { victim0, victim1, others } = atoms;
  const outputs = others.length;
  const entries = Real.power(users + 1, outputs - 1);
  if (outputs < 2 || entries > MOST_ENTRIES) return;
  const splits = Math.min(MOST_SPLITS, users - 2, Math.floor(MOST_WORK / (entries * outputs * users)));
  const isFirst = others.every((mass, y) => mass === victim0[y]);
  const [law, which] = isFirst ? ([victim1, 'second'] as const) : ([victim0, 'first'] as const);
  for (let i = 1; i <= splits; i++) {
    const count = Math.round((i * (users - 1)) / (splits + 1));
    const seen = new Float64Array(entries);
    seen[0] = 1;
    for (let user = 0; user < users - 1; user++) addMessage(seen, user < count ? law : others, users);
    const second = seen.slice();
    addMessage(seen, victim0, users);
    addMessage(second, victim1, users);
    yield {
      label: `${atoms.label}, except ${count} that ${count === 1 ? 'holds' : 'hold'} the victim's ${which} input`,
      first: seen,
      second,
      rounding: 32 * (users + 2) * (outputs + 2) * ROUNDOFF,
    };
  }
}

/**
 * Multiplies the law of a multiset by that of one message more. Multisets are the counts of all outputs but
 * the last, as digits of base users + 1; backwards, so that every entry is read before it is written. No
 * digit overflows: what is read beyond is 0.
 */
function addMessage(seen: Float64Array, message: Float64Array, users: number): void {
  const outputs = message.length;
  const last = message[outputs - 1]!;
  for (let entry = seen.length - 1; entry >= 0; entry--) {
    let mass = seen[entry]! * last;
    for (let y = 0, place = 1; y < outputs - 1 && place <= entry; y++, place *= users + 1)
      mass += seen[entry - place]! * message[y]!;
    seen[entry] = mass;
  }
}

/** Below, doubles have few digits. */
const LEAST_MASS = 1e-300;

function divergenceFromBelow(p: Float64Array, q: Float64Array, epsilon: number, rounding: number): number {
  const growth = Real.exp(epsilon) * (1 + rounding);
  let sum = 0;
  for (let i = 0; i < p.length; i++) {
    const gain = p[i]! * (1 - rounding) - growth * (q[i]! + LEAST_MASS);
    if (gain > 0) sum += gain;
  }
  return sum * (1 - p.length * ROUNDOFF);
}
