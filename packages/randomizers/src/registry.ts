/** The randomizers by their cards. A new one is its file and a line here. */
import type { CategoryCard, MechanismCard, NumberCard } from '@shuffle-dp/core';
import { ANY_RANDOMIZER } from './any-randomizer.ts';
import { AUGMENTED_RR } from './categories/augmented-randomized-response.ts';
import { HADAMARD } from './categories/block-hadamard-response.ts';
import { GRR } from './categories/generalized-randomized-response.ts';
import { LOCAL_HASH } from './categories/local-hashing.ts';
import { SUBSET } from './categories/subset-selection.ts';
import { BINARY_RR, OUE } from './categories/unary-encoding.ts';
import { COLLISION } from './item-sets/collision.ts';
import { SAMPLED_RAPPOR } from './item-sets/sampled-rappor.ts';
import { SUBSET_EXPONENTIAL } from './item-sets/subset-exponential.ts';
import { WHEEL } from './item-sets/wheel.ts';
import { PCKV_GRR } from './key-values/pckv-grr.ts';
import { CLIP_LAPLACE } from './numbers/clip-laplace.ts';
import { DUCHI } from './numbers/duchi-mechanism.ts';
import { FIXED_POINT } from './numbers/fixed-point-response.ts';
import { GAUSSIAN } from './numbers/gaussian-mechanism.ts';
import { LAPLACE } from './numbers/laplace-mechanism.ts';
import { PIECEWISE } from './numbers/piecewise-mechanism.ts';
import { METRIC_GENERAL, METRIC_LAPLACE } from './places/metric-privacy.ts';
import { PLANAR_LAPLACE } from './places/planar-laplace.ts';
import { PRIV_UNIT } from './vectors/priv-unit.ts';
import { VECTOR_RR } from './vectors/vector-randomized-response.ts';

/** One category a user: these also run as frequency oracles. */
export const CATEGORY_RANDOMIZERS: readonly CategoryCard[] = [
  GRR,
  BINARY_RR,
  OUE,
  SUBSET,
  LOCAL_HASH,
  HADAMARD,
];

/** One number of a bounded range a user: these also estimate means. */
export const NUMBER_RANDOMIZERS: readonly NumberCard[] = [
  LAPLACE,
  CLIP_LAPLACE,
  DUCHI,
  PIECEWISE,
  FIXED_POINT,
  GAUSSIAN,
];

// A call that bundlers know to be without effect: an engine of fewer mechanisms leaves the others out.
export const RANDOMIZERS: readonly MechanismCard[] = /* @__PURE__ */ (() => [
  ANY_RANDOMIZER,
  ...CATEGORY_RANDOMIZERS,
  AUGMENTED_RR,
  ...NUMBER_RANDOMIZERS,
  PRIV_UNIT,
  VECTOR_RR,
  METRIC_GENERAL,
  METRIC_LAPLACE,
  PLANAR_LAPLACE,
  SUBSET_EXPONENTIAL,
  WHEEL,
  COLLISION,
  SAMPLED_RAPPOR,
  PCKV_GRR,
])();
