/** What a curve goes over: the users, the target, or a parameter of the mechanism. */
import { logarithmicScale, sliderScale, valuesAlong, type SliderScale } from '../controls/slider-scale.ts';
import type { AccountState } from './account-state.ts';
import type { AccountSetting, ShownParameter } from './contract.ts';

/** Sliders of what every mechanism has. */
export const USERS_SCALE = logarithmicScale(100, 1e8, true);
export const TARGET_SCALES = {
  delta: logarithmicScale(1e-12, 0.01, false),
  epsilon: logarithmicScale(0.001, 10, false),
};

export interface CurveAxis {
  readonly over: string;
  readonly title: string;
  readonly scale: SliderScale;
}

/** All that the chart can go over. */
export function curveAxes(state: AccountState, ranges: readonly ShownParameter[]): CurveAxis[] {
  const { given } = state;
  return [
    { over: 'users', title: 'users n', scale: USERS_SCALE },
    ...ranges.map((parameter) => ({
      over: parameter.name,
      title: parameter.name,
      scale: sliderScale(parameter),
    })),
    { over: given, title: given, scale: TARGET_SCALES[given] },
  ];
}

/** Points of the first drawing, and of the second, which has these and more. */
export const COARSE = 9;
export const FINE = 33;

export function curveValues({ scale }: CurveAxis, count: number): number[] {
  return valuesAlong(scale, count);
}

/** Where the present setting lies on the axis. */
export function presentValue(setting: AccountSetting, over: string): number | undefined {
  if (over === 'users') return setting.users;
  const at: Readonly<Record<string, number>> = { ...setting.parameters, ...setting.target };
  return at[over];
}

/** Settings with the same key have the same curve: all but what it goes over. */
export function curveKey(setting: AccountSetting, { over, scale }: CurveAxis): string {
  const rest = {
    ...setting.parameters,
    users: setting.users,
    ...setting.target,
    [over]: `${scale.valueAt(0)}:${scale.valueAt(scale.last)}`,
  };
  return JSON.stringify([setting.mechanism, over, rest]);
}
