/** Every mechanism of the registry by its published definition: one entry each. */
import { CATEGORY_ORACLES, randomizedResponse } from './categories.ts';
import {
  claim,
  epsilon0Nats,
  FIRST_VALUE,
  listed,
  THIRD_VALUE,
  type MechanismOracle,
} from './mechanism-oracle.ts';
import { leastHidden, METRIC_ORACLES } from './metric.ts';
import { MULTI_MESSAGE_ORACLES } from './multi-message.ts';
import { NUMBER_ORACLES } from './numbers.ts';
import { VECTOR_ORACLES } from './vectors.ts';
import { SET_ORACLES } from './sets.ts';

/** Any randomizer of a budget, so none is worse: a few that are bad. */
const GENERAL: MechanismOracle = {
  settings: (epsilon0) => [{ epsilon0 }],
  nats: (parameters) => 4 * epsilon0Nats(parameters) + 4,
  ...listed(({ epsilon0 }, arithmetic) => [
    ...[2, 3, 4, 8, 32, 1024].map((domain) =>
      randomizedResponse(epsilon0!, domain, Math.min(domain, 3), arithmetic),
    ),
    leastHidden(epsilon0!, epsilon0!, arithmetic),
  ]),
  claims: {
    'all others hold a third value': claim(THIRD_VALUE, false),
    "all others hold the victim's first value": claim(FIRST_VALUE, false),
  },
  missing: Infinity,
};

export const MECHANISM_ORACLES: Readonly<Record<string, MechanismOracle>> = {
  general: GENERAL,
  ...CATEGORY_ORACLES,
  ...NUMBER_ORACLES,
  ...VECTOR_ORACLES,
  ...METRIC_ORACLES,
  ...SET_ORACLES,
  ...MULTI_MESSAGE_ORACLES,
};
