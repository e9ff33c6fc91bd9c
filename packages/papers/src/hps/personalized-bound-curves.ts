/**
 * The curves of the figures of personal budgets: published bounds at the largest budget, bounds that know all
 * budgets, and what is proved.
 */
import { boundNamed, type PersonalizedAccount } from '@shuffle-dp/experiments/personalized';
import type { AmplificationCurve } from '../figures/amplification-curves.ts';

export interface BoundCurve extends AmplificationCurve {
  /** Null where it says nothing. */
  epsilon(account: PersonalizedAccount, distribution: string): number | null;
}

export const UPPER: BoundCurve = {
  name: 'certified, upper',
  style: 'line',
  colourKey: 'certified',
  role: 'compared',
  epsilon: ({ epsilon }) => epsilon.upper,
};

export const LOWER: BoundCurve = {
  ...UPPER,
  name: 'certified, lower',
  style: 'theory',
  role: 'context',
  epsilon: ({ epsilon }) => epsilon.lower,
};

export const ECHO_CURVES: readonly BoundCurve[] = [
  earlier('Erlingsson et al. 2019', 'largest-budget-erlingsson', 'Erlingsson'),
  earlier('Balle et al. 2019', 'largest-budget-blanket-hoeffding-generic', 'privacy blanket'),
  earlier('Girgis et al. 2021', 'largest-budget-renyi'),
  earlier('Feldman et al. 2022', 'largest-budget-clone', 'clone'),
  {
    ...earlier('stronger clone, 2023', 'largest-budget-stronger-clone', 'stronger clone'),
    role: 'context',
  },
  { ...earlier('EoN, Theorem 4', 'eon-closed'), style: 'theory', colourKey: 'EoN', role: 'context' },
  { ...earlier('EoN, numerical', 'eon'), colourKey: 'EoN', role: 'compared' },
  UPPER,
  LOWER,
];

/** Table 3 of the first paper. */
export const PRINTED_CURVES: readonly BoundCurve[] = [
  printed('Feldman et al. (UniS), printed', 'clone', 0.069),
  printed('EoN, printed', 'EoN', 0.057),
];

/** What Liu et al. (CIKM 2024) call BGN: the privacy blanket of any randomizer, at the largest budget. */
export const BGN_BOUND = 'largest-budget-blanket-bennett-generic';

export const PURE_CURVES: readonly BoundCurve[] = [
  earlier('BGN: Balle et al.', BGN_BOUND, 'privacy blanket'),
  earlier('FV: stronger clone', 'largest-budget-stronger-clone', 'stronger clone'),
  earlier('LZX: EoN, numerical', 'eon', 'EoN'),
  earlier('CCC', 'ccc-hps'),
  { ...earlier('HPS', 'hps'), role: 'compared' },
  UPPER,
  LOWER,
];

export const OWN_NOISE = 'HPS, its own noise';
export const CLASSICAL_NOISE = 'HPS, classical noise';

export const APPROXIMATE_CURVES: readonly BoundCurve[] = [
  earlier('FV: stronger clone', 'largest-budget-stronger-clone', 'stronger clone'),
  earlier('CCC', 'ccc-hps'),
  { ...earlier(OWN_NOISE, 'hps-program', 'HPS'), role: 'compared' },
  { ...earlier(CLASSICAL_NOISE, 'hps', 'HPS'), role: 'compared' },
  UPPER,
  LOWER,
];

/** What the paper of the figure compares with. */
function earlier(name: string, bound: string, colourKey = name): BoundCurve {
  return {
    name,
    style: 'line',
    colourKey,
    role: 'earlier',
    epsilon: ({ bounds }) => boundNamed(bounds, bound).epsilon,
  };
}

function printed(name: string, colourKey: string, value: number): BoundCurve {
  return {
    name,
    style: 'printed',
    colourKey,
    role: 'context',
    epsilon: ({ users }, distribution) => (distribution === 'Uniform2' && users === 10_000 ? value : null),
  };
}
