/**
 * Rechecks a certificate from its file alone, in integers: no floating point, and nothing of the accountants. docs/certificates.md proves
 * what a valid file means.
 */
import {
  readCertificate,
  type CertificateAtom,
  type CertificateClaim,
  type CertificateComposition,
  type CertificateContent,
  type CertificatePair,
  type CertificateSteps,
  type MassEnds,
  type WindowEnds,
} from './certificate.ts';
import { excessOfLosses, lossGrid, roundLoss } from './composition.ts';
import { convolutionPower, powerSteps, type Window } from './convolution-power.ts';
import {
  ceilDivision,
  decimalValue,
  exponential,
  FRACTION_BITS,
  type Enclosure,
  type Rational,
} from './exact.ts';
import { slotLaw, type ExactAtom } from './lattice-law.ts';
import { recomputedMasses, type AtomMasses } from './mechanism-masses.ts';

export interface CertificateVerdict {
  readonly valid: boolean;
  readonly claim: CertificateContent['claim'];
  /** Whether the atoms were computed again from the parameters, or are what the file states. */
  readonly atoms: 'recomputed' | 'stated';
  /** Why it does not hold; absent where it does. */
  readonly reason?: string;
}

/** What is wrong with a certificate. */
class Fault extends Error {}

/**
 * Whether a certificate proves what it claims, in exact integers; and where it does not, why.
 *
 * @param file its bytes
 * @throws CertificateFormatError where it is no certificate
 */
export function verifyCertificate(file: Uint8Array): CertificateVerdict {
  const { content, isWhole } = readCertificate(file);
  const { claim, pairs } = content;
  const count = pairs[0]?.atoms.length ?? 0;
  const masses = recomputedMasses(claim.mechanism, claim.parameters, count);
  const common = { claim, atoms: masses === 'unknown' ? 'stated' : 'recomputed' } as const;
  try {
    if (!isWhole) throw new Fault('its content is not what its digest was made of');
    if (masses === null) throw new Fault('the parameters are none of this mechanism');
    if (masses !== 'unknown') checkMasses(content, masses);
    const delta = requireDecimal(claim.delta, 'delta');
    if (delta.numerator > delta.denominator) throw new Fault('delta is more than 1');
    const proved = provedDelta(content);
    if (proved.numerator * delta.denominator > delta.numerator * proved.denominator)
      throw new Fault('its steps prove a larger delta');
    return { valid: true, ...common };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { valid: false, ...common, reason: error.message };
  }
}

/** What the steps prove at the claimed epsilon, whatever delta is claimed. @throws Error where they are no proof */
export function provedDelta(certificate: CertificateContent): Rational {
  const { claim, pairs, points, composition } = certificate;
  const growth = exponential(requireDecimal(claim.epsilon, 'epsilon', 700n)).lower;
  if (pairs.length === 0) throw new Fault('it has no atoms');
  for (const { label, atoms } of pairs) checkAtoms(atoms, 1n << BigInt(certificate.massBits), label);
  const orders = ordersOf(pairs);
  if (claim.rounds === '1') {
    if (composition || points.length !== 1 || points[0]!.index !== '0')
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

/** For one order of the victim's inputs. */
export function exactAtom(
  { victim0, victim1, others, ratio0, ratio1 }: CertificateAtom,
  isExchanged: boolean,
): ExactAtom {
  const [likelier, unlikelier] = isExchanged ? [victim1, victim0] : [victim0, victim1];
  const [first, second] = isExchanged ? [ratio1, ratio0] : [ratio0, ratio1];
  return {
    likelier: BigInt(likelier[1]),
    unlikelier: BigInt(unlikelier[0]),
    others: BigInt(others),
    ...(first && second && { ratios: { likelier: endsOf(first), unlikelier: endsOf(second) } }),
  };
}

function endsOf([lower, upper]: MassEnds): readonly [bigint, bigint] {
  return [BigInt(lower), BigInt(upper)];
}

/** The masses of a law: ends in order, of sums around 1. */
function checkAtoms(atoms: readonly CertificateAtom[], one: bigint, label: string): void {
  for (const input of ['victim0', 'victim1'] as const) {
    let [least, most] = [0n, 0n];
    for (const atom of atoms) {
      const [lower, upper] = endsOf(atom[input]);
      if (lower > upper) throw new Fault(`${label}: a mass has its ends exchanged`);
      least += lower;
      most += upper;
    }
    if (least > one || most < one) throw new Fault(`${label}: the victim's masses are no law`);
  }
  for (const { ratio0, ratio1 } of atoms)
    for (const ratio of [ratio0, ratio1])
      if (ratio && BigInt(ratio[0]) > BigInt(ratio[1]))
        throw new Fault(`${label}: a ratio has its ends exchanged`);
}

/**
 * Whether the atoms are the same ones when the victim's inputs are exchanged.
 *
 * @example isSymmetric([]) // true
 */
export function isSymmetric(atoms: readonly CertificateAtom[]): boolean {
  const words = (first: 'victim0' | 'victim1', second: 'victim0' | 'victim1', swapped: boolean): string[] =>
    atoms
      .map((atom) =>
        [
          ...atom[first],
          ...atom[second],
          atom.others,
          ...((swapped ? atom.ratio1 : atom.ratio0) ?? []),
          ...((swapped ? atom.ratio0 : atom.ratio1) ?? []),
        ].join(' '),
      )
      .toSorted();
  return words('victim0', 'victim1', false).join() === words('victim1', 'victim0', true).join();
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

/** The atoms hold what the parameters give. */
function checkMasses({ pairs, massBits }: CertificateContent, masses: readonly AtomMasses[]): void {
  if (pairs.length !== 1) throw new Fault('the mechanism has one pair of inputs');
  const { atoms } = pairs[0]!;
  if (atoms.length !== masses.length) throw new Fault(`the mechanism has ${masses.length} atoms`);
  const shift = FRACTION_BITS - BigInt(massBits);
  if (shift < 0n) throw new Fault('its masses have too many digits');
  const holds = (ends: MassEnds, { lower, upper }: Enclosure): boolean =>
    BigInt(ends[0]) << shift <= lower && BigInt(ends[1]) << shift >= upper;
  atoms.forEach((atom, i) => {
    const { victim0, victim1, others, ratio0, ratio1 } = masses[i]!;
    const blanket = BigInt(atom.others) << shift;
    /** The certificate's blanket is a little smaller, so ratios to it are a little larger. */
    const raised = (ratio: Enclosure): Enclosure => ({
      lower: ratio.lower,
      upper: blanket === 0n ? ratio.upper : (ratio.upper * others.upper + blanket - 1n) / blanket,
    });
    const fits =
      holds(atom.victim0, victim0) &&
      holds(atom.victim1, victim1) &&
      blanket <= others.lower &&
      (atom.ratio0 === undefined) === (ratio0 === undefined) &&
      (!ratio0 || holds(atom.ratio0!, raised(ratio0))) &&
      (!ratio1 || holds(atom.ratio1!, raised(ratio1)));
    if (!fits) throw new Fault(`atom ${i} does not hold the mass that the parameters give`);
  });
}

function requireDecimal(text: string, name: string, most = 1n): Rational {
  const value = decimalValue(text);
  if (value === null || value.numerator > most * value.denominator)
    throw new Fault(`${name} is out of its range`);
  return value;
}
