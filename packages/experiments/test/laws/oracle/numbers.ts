/**
 * Randomizers of numbers and vectors. Continuous outputs are cut into cells of known masses, which tell less,
 * never more.
 */
import {
  lawsFrom,
  normalised,
  range,
  sameInputs,
  type DataSet,
  type FiniteMechanism,
  type Law,
} from './finite-mechanism.ts';
import type { Fixed, FixedPoint } from './fixed-point.ts';
import {
  budgeted,
  claim,
  FIRST_VALUE,
  listed,
  THIRD_VALUE,
  type Claim,
  type Definition,
  type MechanismOracle,
  type Parameters,
} from './mechanism-oracle.ts';

/** Both ends of the range, the middle, and a value between. */
const PLACES = [0, 1, 0.5, 0.25];
const MIDDLE = 2;
const BETWEEN = 3;

const holdMiddle = (first: number, second: number, others: readonly number[]): boolean =>
  first + second === 1 && others.every((x) => x === MIDDLE);
const holdFirst = (first: number, second: number, others: readonly number[]): boolean =>
  first + second === 1 && FIRST_VALUE(first, second, others);

const holdBetween = (first: number, second: number, others: readonly number[]): boolean =>
  first + second === 1 && others.every((x) => x === BETWEEN);

const middleOrFirst = (attained: boolean): MechanismOracle['claims'] => ({
  'all others hold the middle of the range': claim(holdMiddle, attained),
  "all others hold the victim's first value": claim(holdFirst, attained),
});

/** Masses of the cells between increasing edges and beyond the outermost, from a distribution function. */
export function cellLaw(below: (edge: number) => Fixed, edges: readonly number[], { one }: FixedPoint): Law {
  const values = [0n, ...edges.map(below), one];
  return values.slice(1).map((value, i) => value - values[i]!);
}

/** Laplace noise of scale 1: its distribution function. */
export function laplaceBelow(z: number, arithmetic: FixedPoint): Fixed {
  const tail = arithmetic.exp(-Math.abs(z)) / 2n;
  return z < 0 ? tail : arithmetic.one - tail;
}

/**
 * Cells split so that they tell at least what was cut: of each, the masses under the victim's inputs are put
 * on two outputs with the density ratios at its ends, which makes every ratio between them a mixture
 * (Blackwell). All others hold the first input.
 *
 * @param ratios density ratios first / second at the edges and, before and after them, at the ends of the
 * outputs: falling
 */
export function splitCells(
  first: Law,
  second: Law,
  ratios: readonly (Fixed | 'infinite' | 'zero')[],
  { over, times }: FixedPoint,
): FiniteMechanism {
  const outputs = first.flatMap((p, i): [Fixed, Fixed][] => {
    const [q, high, low] = [second[i]!, ratios[i]!, ratios[i + 1]!];
    // What is not bounded is given away.
    if (typeof high === 'string' || typeof low === 'string')
      return [
        [p, 0n],
        [0n, q],
      ];
    if (high <= low) return [[p, q]];
    const ends = over(p - times(low, q), high - low);
    const highQ = ends < 0n ? 0n : ends > q ? q : ends;
    const highP = times(high, highQ);
    return [
      [highP, highQ],
      [p - highP, q - highQ],
    ];
  });
  const victims = [outputs.map(([p]) => p), outputs.map(([, q]) => q)];
  return { victims, others: victims.slice(0, 1) };
}

/** Cells of one width over the range, one at either end beyond. */
const INNER_CELLS = 4;
const inner = (cells: number): number[] => range(cells + 1).map((i) => i / cells);

/** Dwork et al. 2006: noise of scale 1 / epsilon0 on values in [0, 1]. */
const laplace: Definition = ({ epsilon0, cells = INNER_CELLS }, arithmetic) =>
  sameInputs(
    PLACES.map((x) =>
      cellLaw((edge) => laplaceBelow((edge - x) * epsilon0!, arithmetic), inner(cells), arithmetic),
    ),
  );

/** Liu et al. 2023: the same, conditioned on [0, 1]. */
const clipLaplace: Definition = ({ epsilon0, cells = INNER_CELLS }, arithmetic) =>
  sameInputs(
    PLACES.map((x) => {
      const law = cellLaw(
        (edge) => laplaceBelow((edge - x) * epsilon0!, arithmetic),
        inner(cells),
        arithmetic,
      );
      return normalised(law.slice(1, -1), arithmetic);
    }),
  );

const FINE = 32;

/** Over the range the log ratio falls from epsilon0 to -epsilon0, and beyond it is constant. */
const laplaceRatios = (epsilon0: number, arithmetic: FixedPoint): Fixed[] => [
  arithmetic.exp(epsilon0),
  ...inner(FINE).map((edge) => arithmetic.exp(epsilon0 * (1 - 2 * edge))),
  arithmetic.exp(-epsilon0),
];

const laplaceCeiling = ({ epsilon0 }: Parameters, arithmetic: FixedPoint): FiniteMechanism => {
  const [first, second] = (laplace({ epsilon0: epsilon0!, cells: FINE }, arithmetic) as FiniteMechanism)
    .victims;
  return splitCells(first!, second!, laplaceRatios(epsilon0!, arithmetic), arithmetic);
};

const clipLaplaceCeiling = ({ epsilon0 }: Parameters, arithmetic: FixedPoint): FiniteMechanism => {
  const [first, second] = (clipLaplace({ epsilon0: epsilon0!, cells: FINE }, arithmetic) as FiniteMechanism)
    .victims;
  return splitCells(first!, second!, laplaceRatios(epsilon0!, arithmetic).slice(1, -1), arithmetic);
};

/** Dwork et al. 2006: normal noise on values in [0, 1]. */
const gaussian: Definition = ({ sigma, cells = INNER_CELLS }, arithmetic) => {
  const deviation = arithmetic.of(sigma!);
  const edges = gaussianEdges(sigma!, cells);
  return sameInputs(
    PLACES.map((x) =>
      cellLaw(
        (edge) => arithmetic.normalBelow(arithmetic.over(arithmetic.of(edge - x), deviation)),
        edges,
        arithmetic,
      ),
    ),
  );
};

/** Over the range and, of fine cells, six deviations beyond. */
const gaussianEdges = (sigma: number, cells: number): number[] => {
  const beyond = cells === INNER_CELLS ? 1 / cells : 6 * sigma;
  return range(cells + 1).map((i) => -beyond + ((1 + 2 * beyond) * i) / cells);
};

const gaussianCeiling = ({ sigma }: Parameters, arithmetic: FixedPoint): FiniteMechanism => {
  const [first, second] = (gaussian({ sigma: sigma!, cells: FINE }, arithmetic) as FiniteMechanism).victims;
  const ratios = gaussianEdges(sigma!, FINE).map((edge) =>
    arithmetic.exp((1 - 2 * edge) / (2 * sigma! ** 2)),
  );
  return splitCells(first!, second!, ['infinite', ...ratios, 'zero'], arithmetic);
};

/**
 * Duchi, Jordan and Wainwright 2018: one of two messages, the upper with 1/2 + t (p - 1) / (2 p + 2), t in
 * [-1, 1].
 */
const duchi: Definition = ({ epsilon0 }, arithmetic) => {
  const p = arithmetic.exp(epsilon0!);
  const { one, times, of } = arithmetic;
  return sameInputs(
    PLACES.map((x) => {
      const tilt = times(of(2 * x - 1), p - one);
      return normalised([p + one + tilt, p + one - tilt], arithmetic);
    }),
  );
};

/** Balle et al. 2019: rounded to a level at random, and the level replaced by a uniform one now and then. */
const fixedPoint: Definition = ({ epsilon0, steps }, arithmetic) => {
  const { one, times, of, exp } = arithmetic;
  const above = exp(epsilon0!) - one;
  const places = [...range(steps! + 1).map((level) => level / steps!), 0.3];
  return sameInputs(
    lawsFrom(
      places,
      range(steps! + 1),
      (x, level) => one + times(above, of(Math.max(0, 1 - Math.abs(level - x * steps!)))),
      arithmetic,
    ),
  );
};

/** Of data sets without the number between two levels, which is the last. */
const onLevels =
  (admits: DataSet): Claim['admits'] =>
  (first, second, others, { steps }) =>
    [first, second, ...others].every((x) => x <= steps!) && admits(first, second, others);

/**
 * Wang et al. 2019: messages in [-C, C], C = (r + 1) / (r - 1) with r = e^(epsilon0/2), p times as likely in
 * the window of length C - 1 that begins at (C + 1) t / 2 - (C - 1) / 2. Between the windows' ends the laws
 * are constant.
 */
const piecewise: Definition = ({ epsilon0 }, arithmetic) => {
  const { one, times, over, of } = arithmetic;
  const likely = arithmetic.exp(epsilon0!);
  const root = arithmetic.exp(epsilon0! / 2);
  const reach = over(root + one, root - one);
  const starts = PLACES.map((x) => (times(reach + one, of(2 * x - 1)) - (reach - one)) / 2n);
  const edges = [-reach, reach, ...starts, ...starts.map((start) => start + reach - one)].sort((a, b) =>
    a < b ? -1 : Number(a > b),
  );
  const cells = edges
    .slice(1)
    .map((to, i) => ({ from: edges[i]!, to }))
    .filter(({ from, to }) => to > from);
  return sameInputs(
    lawsFrom(
      starts,
      cells,
      (start, { from, to }) => times(to - from, from >= start && to <= start + reach - one ? likely : one),
      arithmetic,
    ),
  );
};

export const NUMBER_ORACLES: Readonly<Record<string, MechanismOracle>> = {
  laplace: budgeted(laplace, middleOrFirst(false), Infinity, [{}], laplaceCeiling),
  'clip-laplace': budgeted(clipLaplace, middleOrFirst(false), Infinity, [{}], clipLaplaceCeiling),
  duchi: budgeted(duchi, middleOrFirst(true), 0),
  piecewise: budgeted(
    piecewise,
    {
      ...middleOrFirst(true),
      'all others hold the value halfway between the middle and an end': claim(holdBetween),
    },
    0,
  ),
  'fixed-point': budgeted(
    fixedPoint,
    {
      'all others hold a third value': claim(onLevels(THIRD_VALUE)),
      "all others hold the victim's first value": claim(onLevels(FIRST_VALUE)),
    },
    0,
    [{ steps: 1 }, { steps: 2 }, { steps: 4 }],
  ),
  gaussian: {
    settings: (budget) => [{ sigma: Math.max(0.05, 1 / budget) }],
    nats: ({ sigma }) => 3 / sigma! ** 2 + 10,
    ...listed(gaussian),
    ceiling: gaussianCeiling,
    claims: middleOrFirst(false),
    missing: Infinity,
  },
};
