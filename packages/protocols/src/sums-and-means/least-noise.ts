/**
 * The least noise of which the shuffled messages meet the central target: for noise without a local budget.
 */
import { ParameterError, Real, searched, type MeanRandomizer } from '@shuffle-dp/core';
import {
  type AccountedMessage,
  calibrate,
  logExcess,
  messageDivergence,
  ROUGH_GAP,
  searchTolerance,
  sharplyMet,
  type Axis,
  type MetTarget,
  type SingleMessageAccounting,
} from '@shuffle-dp/accounting';
import { centralTarget, type NumberSetting } from '../setting.ts';

/** Narrower noise is hardly noise; wider noise than this says nothing of a mean. */
const LEAST_LOG_SIGMA = Real.log(0.05);
const MOST_SIGMA = 1e6;
const FIRST_STEP = 0.5;

/** Less noise is less private. */
const NOISE_AXIS: Axis = {
  valueAt: (position) => Real.exp(-position),
  mostPrivate: -Real.log(MOST_SIGMA),
  leastPrivate: -LEAST_LOG_SIGMA,
};

/**
 * From what the blanket allows on to what the least bound does, where that is asked for. @throws
 * ParameterError as `leastNoise`
 */
export function calibratedNoise(
  make: (sigma: number) => MeanRandomizer,
  setting: NumberSetting,
  accounting: SingleMessageAccounting,
): MetTarget {
  const epsilon = centralTarget(setting, 'sigma');
  const { users, delta } = setting;
  return searched(`noise ${users} ${epsilon} ${delta}`, () => {
    const sigma = leastNoise(make, setting);
    if (accounting !== 'sharpest') return { value: sigma, by: 'blanket' };
    const target = { users, epsilon, delta };
    const { relativeGap } = setting;
    const hints = relativeGap === undefined ? {} : { relativeGap };
    return sharplyMet(NOISE_AXIS, -Real.log(sigma), (value) => messageOf(make(value)), target, hints);
  });
}

function messageOf(randomizer: MeanRandomizer): AccountedMessage {
  return { epsilon0: randomizer.epsilon0, amplification: randomizer.amplification() };
}

/**
 * The least deviation, within a relative 1e-5 from above unless the setting's gap is wider, of which the
 * certified divergence meets the target.
 * @throws ParameterError where none does, or none is set
 */
function leastNoise(make: (sigma: number) => MeanRandomizer, setting: NumberSetting): number {
  const { users, delta, relativeGap } = setting;
  const epsilon = centralTarget(setting, 'sigma');
  const excess = (sigma: number): number => {
    const message = messageOf(make(sigma));
    return logExcess(messageDivergence(message, users, epsilon, 'blanket', relativeGap), delta);
  };
  const { start, step } = firstNoise(make, setting);
  const found = calibrate(NOISE_AXIS, {
    excess,
    start: -start,
    step,
    tolerance: searchTolerance(relativeGap),
  });
  if (found === null) throw new ParameterError('epsilon', epsilon, 'larger: no Gaussian noise meets it');
  return found.value;
}

/**
 * Where the search begins, in logarithms: where less is asked of the noise, divergences in wide brackets say
 * about where it is.
 */
function firstNoise(
  make: (sigma: number) => MeanRandomizer,
  setting: NumberSetting,
): { readonly start: number; readonly step: number } {
  const { relativeGap = Infinity } = setting;
  if (relativeGap >= ROUGH_GAP) return { start: LEAST_LOG_SIGMA, step: FIRST_STEP };
  const rough = leastNoise(make, { ...setting, relativeGap: ROUGH_GAP });
  const step = ROUGH_GAP / 4;
  return { start: Math.max(LEAST_LOG_SIGMA, Real.log(rough) - step), step };
}
