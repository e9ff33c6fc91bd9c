/**
 * The atoms of mechanisms whose masses are algebraic in e^epsilon0, as enclosures. docs/certificates.md has
 * the formulas, and why the masses of the others are a blanket.
 */
import {
  decimalValue,
  difference,
  enclosureOf,
  exponential,
  integer,
  product,
  quotient,
  sum,
  type Enclosure,
  type Rational,
} from './exact.ts';

/** Masses of one atom: the victim's under either input, and what every other user is sure to give. */
export interface AtomMasses {
  readonly victim0: Enclosure;
  readonly victim1: Enclosure;
  readonly others: Enclosure;
  /**
   * Of a cell of a continuous output: what the victim's densities over the others' lie between. Absent for
   * points.
   */
  readonly ratio0?: Enclosure;
  readonly ratio1?: Enclosure;
}

/** Parameters are decimals in text. */
export type Parameters = Readonly<Record<string, string>>;

type MassFormula = (parameters: Parameters, atoms: number) => AtomMasses[] | null;

/**
 * The atoms of the mechanism's one pair of inputs.
 * @param atoms how many the certificate has: a range is cut into as many cells
 * @returns 'unknown' for a mechanism that is not listed here, null for parameters that it does not take
 * @example recomputedMasses('no-mechanism', {}, 4) // 'unknown'
 */
export function recomputedMasses(
  mechanism: string,
  parameters: Parameters,
  atoms: number,
): AtomMasses[] | null | 'unknown' {
  if (!Object.hasOwn(FORMULAS, mechanism)) return 'unknown';
  // Hadamard matrices of several blocks have other atoms.
  if (mechanism === 'hadamard' && !['1', undefined].includes(parameters['blocks'])) return 'unknown';
  const { masses, takes } = FORMULAS[mechanism]!;
  // What nothing checks is not said.
  if (Object.keys(parameters).some((name) => name !== 'epsilon0' && !takes.includes(name))) return null;
  return masses(parameters, atoms);
}

/** With the parameters that a mechanism takes besides epsilon0. */
const FORMULAS: Readonly<Record<string, { masses: MassFormula; takes: readonly string[] }>> = {
  general: { masses: anyRandomizer, takes: [] },
  grr: { masses: generalizedRandomizedResponse, takes: ['domain'] },
  'binary-rr': { masses: symmetricUnaryEncoding, takes: ['domain'] },
  oue: { masses: optimizedUnaryEncoding, takes: ['domain'] },
  subset: { masses: subsetSelection, takes: ['domain', 'subsetSize'] },
  hadamard: { masses: hadamardResponse, takes: ['order', 'support', 'blocks'] },
  laplace: { masses: laplaceMechanism, takes: [] },
};

const UNIT = integer(1n);
const HALF = enclosureOf({ numerator: 1n, denominator: 2n });

/** F5 at q = p and the largest beta: two cells that bound every epsilon0-LDP randomizer. */
function anyRandomizer(parameters: Parameters): AtomMasses[] | null {
  const p = expEpsilon0(parameters);
  if (p === null) return null;
  const high = quotient(p, sum(p, UNIT));
  const low = quotient(UNIT, sum(p, UNIT));
  return [
    { victim0: high, victim1: low, others: low },
    { victim0: low, victim1: high, others: low },
  ];
}

/** The victim's two values, and the rest. */
function generalizedRandomizedResponse(parameters: Parameters): AtomMasses[] | null {
  const p = expEpsilon0(parameters);
  const domain = integerParameter(parameters, 'domain', 2n);
  if (p === null || domain === null) return null;
  const all = sum(p, integer(domain - 1n));
  const own = quotient(p, all);
  const other = quotient(UNIT, all);
  const atoms = [
    { victim0: own, victim1: other, others: other },
    { victim0: other, victim1: own, others: other },
  ];
  if (domain === 2n) return atoms;
  const rest = quotient(integer(domain - 2n), all);
  return [...atoms, { victim0: rest, victim1: rest, others: rest }];
}

/** Probabilities of a zero and of a one. */
type BitLaw = readonly [zero: Enclosure, one: Enclosure];

function symmetricUnaryEncoding(parameters: Parameters): AtomMasses[] | null {
  const root = expEpsilon0(parameters, 2n);
  if (root === null || integerParameter(parameters, 'domain', 2n) === null) return null;
  const kept = quotient(root, sum(root, UNIT));
  const flipped = quotient(UNIT, sum(root, UNIT));
  return unaryEncoding([flipped, kept], [kept, flipped]);
}

function optimizedUnaryEncoding(parameters: Parameters): AtomMasses[] | null {
  const p = expEpsilon0(parameters);
  if (p === null || integerParameter(parameters, 'domain', 2n) === null) return null;
  return unaryEncoding([HALF, HALF], [quotient(p, sum(p, UNIT)), quotient(UNIT, sum(p, UNIT))]);
}

/** By the bits of the victim's two values. Of the others the own bit is a zero at the least likely row. */
function unaryEncoding(own: BitLaw, other: BitLaw): AtomMasses[] {
  const zeroRatio = quotient(own[0], other[0]);
  const cells = [
    [1, 0],
    [0, 1],
    [1, 1],
    [0, 0],
  ] as const;
  return cells.map(([first, second]) => ({
    victim0: product(own[first], other[second]),
    victim1: product(other[first], own[second]),
    others: product(product(other[first], other[second]), zeroRatio),
  }));
}

/** By which of the victim's two values the subset holds. */
function subsetSelection(parameters: Parameters): AtomMasses[] | null {
  const p = expEpsilon0(parameters);
  const domain = integerParameter(parameters, 'domain', 2n);
  const size = integerParameter(parameters, 'subsetSize', 1n);
  if (p === null || domain === null || size === null || size >= domain) return null;
  // The masses times the domain over all subsets: size p + domain - size.
  const all = sum(product(integer(size), p), integer(domain - size));
  const cell = (first: boolean, second: boolean, subsets: bigint): AtomMasses => {
    const share = quotient(enclosureOf({ numerator: subsets, denominator: domain - 1n }), all);
    const likely = product(share, p);
    return { victim0: first ? likely : share, victim1: second ? likely : share, others: share };
  };
  return [
    cell(true, true, size * (size - 1n)),
    cell(true, false, size * (domain - size)),
    cell(false, true, size * (domain - size)),
    cell(false, false, (domain - size) * (domain - size - 1n)),
  ];
}

/** By the signs of the victim's two rows. */
function hadamardResponse(parameters: Parameters): AtomMasses[] | null {
  const p = expEpsilon0(parameters);
  const order = integerParameter(parameters, 'order', 4n);
  if (p === null || order === null || (order & (order - 1n)) !== 0n) return null;
  if (![`${order / 2n}`, undefined].includes(parameters['support'])) return null;
  const low = quotient(HALF, sum(p, UNIT));
  const high = product(low, p);
  return [
    { victim0: high, victim1: high, others: low },
    { victim0: high, victim1: low, others: low },
    { victim0: low, victim1: high, others: low },
    { victim0: low, victim1: low, others: low },
  ];
}

/**
 * The range [0, 1] in equal cells, and the two tails. In units of the noise a cell is `epsilon0 / cells`
 * wide; on the left half the upper end of the range is the least likely input.
 */
function laplaceMechanism(parameters: Parameters, atoms: number): AtomMasses[] | null {
  const epsilon0 = positiveParameter(parameters, 'epsilon0');
  if (epsilon0 === null || atoms < 4 || atoms % 2 !== 0) return null;
  const cells = atoms - 2;
  /** e^(-epsilon0 j / cells). */
  const decay = Array.from({ length: cells + 1 }, (_, j) =>
    quotient(
      UNIT,
      exponential({
        numerator: epsilon0.numerator * BigInt(j),
        denominator: epsilon0.denominator * BigInt(cells),
      }),
    ),
  );
  const near = (i: number): Enclosure => product(difference(decay[i]!, decay[i + 1]!), HALF);
  const left: AtomMasses[] = [
    cellOf(product(decay[0]!, HALF), product(decay[cells]!, HALF), quotient(UNIT, decay[cells]!)),
  ];
  for (let i = 0; i < cells / 2; i++) {
    const [from, to] = [quotient(UNIT, decay[cells - 2 * i]!), quotient(UNIT, decay[cells - 2 * (i + 1)]!)];
    left.push(cellOf(near(i), near(cells - 1 - i), { lower: to.lower, upper: from.upper }));
  }
  const right = left.toReversed().map(({ victim0, victim1, others, ratio0, ratio1 }) => ({
    victim0: victim1,
    victim1: victim0,
    others,
    ratio0: ratio1!,
    ratio1: ratio0!,
  }));
  return [...left, ...right];
}

function cellOf(victim0: Enclosure, victim1: Enclosure, ratio0: Enclosure): AtomMasses {
  return { victim0, victim1, others: victim1, ratio0, ratio1: UNIT };
}

/** e^(epsilon0 / divisor). */
function expEpsilon0(parameters: Parameters, divisor = 1n): Enclosure | null {
  const epsilon0 = positiveParameter(parameters, 'epsilon0');
  if (epsilon0 === null) return null;
  return exponential({ numerator: epsilon0.numerator, denominator: epsilon0.denominator * divisor });
}

/** Beyond, masses have no digits left. */
const LARGEST_EPSILON0 = 100n;

function positiveParameter(parameters: Parameters, name: string): Rational | null {
  const value = decimalValue(parameters[name] ?? '');
  if (value === null || value.numerator === 0n) return null;
  return value.numerator <= LARGEST_EPSILON0 * value.denominator ? value : null;
}

function integerParameter(parameters: Parameters, name: string, least: bigint): bigint | null {
  const text = parameters[name] ?? '';
  if (!/^\d{1,18}$/u.test(text)) return null;
  const value = BigInt(text);
  return value >= least ? value : null;
}
