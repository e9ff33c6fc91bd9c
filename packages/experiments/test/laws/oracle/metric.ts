/** Metric-private randomizers for one pair of the victim's inputs, at distances in nats. */
import { normalised, range, type FiniteMechanism, type Law } from './finite-mechanism.ts';
import type { FixedPoint } from './fixed-point.ts';
import {
  claim,
  FIRST_VALUE,
  listed,
  type Definition,
  type MechanismOracle,
  type Parameters,
} from './mechanism-oracle.ts';
import { cellLaw, laplaceBelow, splitCells } from './numbers.ts';

/** The victim holds the first or the second place; all others any of them. */
const victimAtFirstTwo = (laws: readonly Law[]): FiniteMechanism => ({
  victims: laws.slice(0, 2),
  others: laws,
});

/**
 * A randomizer whose others hide as little as a reach of r allows: binary randomized response of the
 * separation with probability 1 - t, and a third message that the others send e^r times as often as the
 * victim.
 */
export function leastHidden(separation: number, reach: number, arithmetic: FixedPoint): FiniteMechanism {
  const { one, exp, over, times } = arithmetic;
  const likely = over(exp(separation), exp(separation) + one);
  const hidden = times(exp(-reach), likely);
  // 2 (1 - t) hidden + e^r t = 1.
  const third = over(one - 2n * hidden, exp(reach) - 2n * hidden);
  const clear = one - third;
  return victimAtFirstTwo([
    normalised([times(clear, likely), times(clear, one - likely), third], arithmetic),
    normalised([times(clear, one - likely), times(clear, likely), third], arithmetic),
    normalised([times(clear, hidden), times(clear, hidden), times(exp(reach), third)], arithmetic),
  ]);
}

/** Places within reach of both 0 and the separation. */
const placesOf = ({ separation, reach = separation }: Parameters): number[] => [
  0,
  separation!,
  separation! - reach!,
  reach!,
  separation! / 2,
];

/** The place at the reach, beyond the victim's second. */
const FURTHEST = 3;

const CELLS = 4;

/** Noise of density e^(-|z|) / 2. */
const lineLaplace: Definition = (parameters, arithmetic) => {
  const { separation, cells = CELLS } = parameters;
  const edges = range(cells + 1).map((i) => (separation! * i) / cells);
  return victimAtFirstTwo(
    placesOf(parameters).map((place) =>
      cellLaw((edge) => laplaceBelow(edge - place, arithmetic), edges, arithmetic),
    ),
  );
};

const FINE = 32;

const lineCeiling = (parameters: Parameters, arithmetic: FixedPoint): FiniteMechanism => {
  const separation = parameters['separation']!;
  const { victims } = lineLaplace({ ...parameters, cells: FINE }, arithmetic) as FiniteMechanism;
  const ratios = range(FINE + 1).map((i) => arithmetic.exp(separation * (1 - (2 * i) / FINE)));
  return splitCells(victims[0]!, victims[1]!, [ratios[0]!, ...ratios, ratios.at(-1)!], arithmetic);
};

/** Among the places of the plane: as far from the victim's first as from the second, and at the reach. */
const APEX = 3;

const RADII = 160;
const ANGLES = 64;
const BANDS = [0, 1, 2];

/** Noise of density e^(-|z|) / (2 pi), in cells. */
const planarLaplace: Definition = ({ separation, reach = separation, cells = 5 }, arithmetic) =>
  victimAtFirstTwo(
    planarMasses(separation!, reach!, cells).map((law) =>
      normalised(
        Array.from(law, (mass) => arithmetic.of(mass)),
        arithmetic,
      ),
    ),
  );

/** Every law asks for the same masses again, at users and targets of its own. */
const knownMasses = new Map<string, readonly Float64Array[]>();

/**
 * Points on circles around all places, each standing for a part of the plane by multiple importance sampling:
 * a point around one place has under another the weight f_x / (sum of the densities around all). Cells are
 * bands of the loss, by distance to the others' furthest places.
 */
function planarMasses(separation: number, reach: number, cells: number): readonly Float64Array[] {
  const key = `${separation} ${reach} ${cells}`;
  const known = knownMasses.get(key);
  if (known) return known;
  const places = [
    { x: 0, y: 0 },
    { x: separation, y: 0 },
    { x: reach, y: 0 },
    { x: separation / 2, y: Math.sqrt(reach ** 2 - (separation / 2) ** 2) },
  ];
  const masses = places.map(() => new Float64Array(cells * BANDS.length));
  for (const centre of places) {
    for (let i = 0; i < RADII; i++) {
      const radius = gammaQuantile((i + 0.5) / RADII);
      for (let j = 0; j < ANGLES; j++) {
        const angle = (2 * Math.PI * (j + 0.5)) / ANGLES;
        const [x, y] = [centre.x + radius * Math.cos(angle), centre.y + radius * Math.sin(angle)];
        const distances = places.map((place) => Math.hypot(x - place.x, y - place.y));
        const total = distances.reduce((sum, distance) => sum + Math.exp(radius - distance), 0);
        const loss = (distances[1]! - distances[0]!) / separation;
        const cell = Math.min(cells - 1, Math.floor(((loss + 1) / 2) * cells));
        const far = distances[2]! + distances[3]! - 2 * distances[0]!;
        const band = far < -reach / 2 ? 0 : far < reach ? 1 : 2;
        distances.forEach((distance, place) => {
          masses[place]![cell * BANDS.length + band]! += Math.exp(radius - distance) / total;
        });
      }
    }
  }
  knownMasses.set(key, masses);
  return masses;
}

/** Bands of the loss, whose ratios run from e^separation to its inverse; at any distance from the others. */
const planarCeiling = (parameters: Parameters, arithmetic: FixedPoint): FiniteMechanism => {
  const separation = parameters['separation']!;
  const { victims } = planarLaplace({ ...parameters, cells: FINE }, arithmetic) as FiniteMechanism;
  const [first, second] = victims.map((law) =>
    range(FINE).map((cell) => law[3 * cell]! + law[3 * cell + 1]! + law[3 * cell + 2]!),
  );
  const ratios = range(FINE + 1).map((i) => arithmetic.exp(separation * ((2 * i) / FINE - 1)));
  return splitCells(first!.toReversed(), second!.toReversed(), ratios.toReversed(), arithmetic);
};

/** Of the distance, whose distribution function is 1 - (1 + r) e^-r. */
function gammaQuantile(share: number): number {
  let [low, high] = [0, 60];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (1 - (1 + middle) * Math.exp(-middle) < share) low = middle;
    else high = middle;
  }
  return low;
}

const pairs = (separation: number, most: number): Parameters[] =>
  [{ separation }, { separation, reach: 2 * separation }, { separation, reach: 5 * separation }].filter(
    ({ reach = separation }) => reach <= most,
  );

const reachNats = ({ separation, reach = separation }: Parameters): number => 4 * reach! + 4;

export const METRIC_ORACLES: Readonly<Record<string, MechanismOracle>> = {
  'metric-general': {
    settings: (budget) => pairs(budget, 700),
    nats: reachNats,
    ...listed(({ separation, reach = separation }, arithmetic) =>
      leastHidden(separation!, reach!, arithmetic),
    ),
    // Data sets of other mechanisms of the class than the one listed: known, and held against nothing here.
    claims: {
      'three outputs, all others hold an input at the largest distance from both of the victim': claim(
        () => false,
        false,
      ),
      "two outputs, all others hold the victim's first value": claim(() => false, false),
    },
    missing: Infinity,
  },
  'metric-laplace': {
    settings: (budget) => pairs(budget, 700),
    nats: reachNats,
    ...listed(lineLaplace),
    ceiling: lineCeiling,
    claims: {
      'all others hold the input furthest from both of the victim': claim(
        (_, __, others) => others.every((place) => place === FURTHEST),
        false,
      ),
      "all others hold the victim's first value": claim(FIRST_VALUE, false),
    },
    missing: Infinity,
  },
  'planar-laplace': {
    settings: (budget) => pairs(budget, 100),
    nats: reachNats,
    ...listed(planarLaplace),
    ceiling: planarCeiling,
    claims: {
      'all others are at the place furthest from both of the victim': claim(
        (_, __, others) => others.every((place) => place === APEX),
        false,
      ),
      "all others hold the victim's first value": claim(FIRST_VALUE, false),
    },
    missing: Infinity,
    rounding: 1e-3,
  },
};
