/** What the steps of a certificate prove: one round at one epsilon, and many rounds from points of one. */
import type {
  CertificateClaim,
  CertificateComposition,
  CertificateContent,
  CertificatePair,
  CertificateSteps,
  WindowEnds,
} from './certificate.ts';
import { checkAtoms, exactAtom, isSymmetric } from './certificate-atoms.ts';
import { excessOfLosses, lossGrid, roundLoss } from './composition.ts';
import { convolutionPower, powerSteps, type Window } from './convolution-power.ts';
import { ceilDivision, exponential, FRACTION_BITS, type Rational } from './exact.ts';
import { Fault, requireDecimal } from './fault.ts';
import { slotLaw, type ExactAtom } from './lattice-law.ts';

/**
 * What the steps prove at the claimed epsilon, whatever delta is claimed. @throws Error where they are no
 * proof
 */
export function provedDelta(certificate: CertificateContent): Rational {
  const { claim, pairs, points, composition } = certificate;
  const growth = exponential(requireDecimal(claim.epsilon, 'epsilon', 700n)).lower;
  if (pairs.length === 0) throw new Fault('it has no atoms');
  for (const { label, atoms } of pairs) checkAtoms(atoms, 1n << BigInt(certificate.massBits), label);
  const orders = ordersOf(pairs);
  if (claim.rounds === '1') {
    if (composition || points.length !== 1 || Number(points[0]!.index) !== 0)
      throw new Fault('one round has one point and no composition');
    return roundDelta(certificate, orders, points[0]!.steps, growth);
  }
  if (!composition) throw new Fault('many rounds need a composition');
  return composedDelta(certificate, composition, orders, growth);
}

/** The atoms for each order of the victim's inputs that needs steps of its own, pair by pair. */
export function ordersOf(pairs: readonly CertificatePair[]): ExactAtom[][] {
  return pairs.flatMap(({ atoms }) =>
    (isSymmetric(atoms) ? [false] : [false, true]).map((isExchanged) =>
      atoms.map((atom) => exactAtom(atom, isExchanged)),
    ),
  );
}

/** Many rounds: the loss of one from its points, then as many copies. */
function composedDelta(
  certificate: CertificateContent,
  { ratio, windows }: CertificateComposition,
  orders: readonly (readonly ExactAtom[])[],
  growth: bigint,
): Rational {
  const { claim, points } = certificate;
  const probabilityBits = BigInt(certificate.probabilityBits);
  const grid = lossGrid(ratio, BigInt(certificate.massBits));
  if (grid === null) throw new Fault('its ratio is not between 1 and 2');
  const indices = points.map(({ index }) => Number(index));
  if (indices[0] !== 0 || indices.some((index, i) => i > 0 && index <= indices[i - 1]!))
    throw new Fault('the indices of its points do not rise from 0');
  const deltas = points.map(({ steps }, i) =>
    fractionAbove(roundDelta(certificate, orders, steps, grid.power(indices[i]!))),
  );
  const one = roundLoss(grid, indices, deltas, probabilityBits);
  if (one === null) throw new Fault('its points reach too far');
  const rounds = BigInt(claim.rounds);
  const kept = checkedWindows(windows, powerSteps(rounds).length);
  if (kept.some(([low, high]) => -low > MOST_POINTS || high > MOST_POINTS))
    throw new Fault('its rounds have losses too far out');
  const sum = convolutionPower(one, rounds, { windows: kept, doublings: [] }, probabilityBits);
  return {
    numerator: excessOfLosses(grid, sum, growth),
    denominator: 1n << (probabilityBits + FRACTION_BITS),
  };
}

/**
 * A rational over 2^FRACTION_BITS, rounded up.
 *
 * @example fractionAbove({ numerator: 1n, denominator: 2n }) === 1n << 319n // true
 */
export function fractionAbove({ numerator, denominator }: Rational): bigint {
  return ceilDivision(numerator << FRACTION_BITS, denominator);
}

/** What steps need to know of a certificate. */
type Scales = Pick<CertificateContent, 'massBits' | 'probabilityBits'> & {
  readonly claim: Pick<CertificateClaim, 'users'>;
};

/**
 * The largest F1 of one round, of all pairs in either order of the victim's inputs, from above.
 *
 * @param growth e^epsilon or less, over 2^FRACTION_BITS
 */
export function roundDelta(
  certificate: Scales,
  orders: readonly (readonly ExactAtom[])[],
  steps: readonly CertificateSteps[],
  growth: bigint,
): Rational {
  if (steps.length !== orders.length)
    throw new Fault("it has other steps than one for each order of the victim's inputs");
  let worst: Rational = { numerator: 0n, denominator: 1n };
  orders.forEach((atoms, i) => {
    const proved = orderDelta(certificate, atoms, steps[i]!, growth);
    if (proved.numerator * worst.denominator > worst.numerator * proved.denominator) worst = proved;
  });
  return worst;
}

/** F1 for one order of the victim's inputs, from above. */
function orderDelta(
  certificate: Scales,
  atoms: readonly ExactAtom[],
  steps: CertificateSteps,
  growth: bigint,
): Rational {
  const users = BigInt(certificate.claim.users);
  const scale = {
    massBits: BigInt(certificate.massBits),
    probabilityBits: BigInt(certificate.probabilityBits),
    spacing: BigInt(steps.spacing),
    growth,
  };
  if (scale.spacing === 0n) throw new Fault('its lattice has no spacing');
  const windows = checkedWindows(steps.windows, powerSteps(users).length);
  const doublings = checkedDoublings(steps.doublings, users);
  const slot = slotLaw(atoms, scale);
  if (slot === null) throw new Fault('its atoms are no blanket, or its lattice is too fine');
  const sum = convolutionPower(slot.law, users, { windows, doublings }, scale.probabilityBits);
  let positive = sum.beyond * BigInt(Math.max(0, sum.most));
  for (let i = Math.max(0, 1 - sum.first); i < sum.masses.length; i++)
    positive += BigInt(sum.first + i) * sum.masses[i]!;
  const shown = {
    numerator: (positive * scale.spacing) << BigInt(doublings.length),
    denominator: users << (scale.massBits + scale.probabilityBits),
  };
  const alone = { numerator: slot.uncovered, denominator: 1n << (scale.massBits + FRACTION_BITS) };
  return {
    numerator: shown.numerator * alone.denominator + alone.numerator * shown.denominator,
    denominator: shown.denominator * alone.denominator,
  };
}

/** Lattice points of a window, at most: more are a mistake, or would keep the verifier busy for days. */
const MOST_POINTS = 1 << 20;

function checkedDoublings(doublings: CertificateSteps['doublings'], users: bigint): number[] {
  const squarings = users.toString(2).length - 1;
  const numbers = doublings.map(Number);
  if (numbers.some((number, i) => number > squarings || number <= (numbers[i - 1] ?? 0)))
    throw new Fault('its doublings are no rising numbers of squarings');
  return numbers;
}

function checkedWindows(windows: readonly WindowEnds[], steps: number): Window[] {
  if (windows.length !== steps) throw new Fault(`${steps} steps need as many windows`);
  return windows.map((ends) => {
    const [low, high] = [Number(ends[0]), Number(ends[1])];
    if (!(low <= high && high - low < MOST_POINTS)) throw new Fault('a window is empty or too wide');
    return [low, high];
  });
}
