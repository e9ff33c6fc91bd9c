/** What the account engine is asked and answers. */
import type { RangedParameter } from '../controls/slider-scale.ts';
import type { Account, AccountedBound } from '@shuffle-dp/experiments/account';
import type { CitationKey, Interval, ParameterValues, Target } from '@shuffle-dp/core';

/** A mechanism's parameter, with its range at the other parameters' values. */
export interface ShownParameter extends RangedParameter {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** 'an integer from 2 to 65536' */
  readonly range: string;
}

/** Of the mechanisms of categories, which is loaded first, and of all. */
export type AccountEngine = 'account' | 'mechanisms';

/** A mechanism's card as plain data. */
export interface ShownMechanism {
  readonly name: string;
  readonly title: string;
  readonly holds: string;
  readonly description: string;
  readonly source: string;
  readonly usersMean: string;
  readonly example: ParameterValues;
  readonly parameters: readonly ShownParameter[];
  /** What a config may say of it as a frequency oracle beside the budget; null where no config runs it. */
  readonly configOptions: readonly string[] | null;
  readonly engine: AccountEngine;
}

export interface AccountSetting {
  readonly mechanism: string;
  readonly parameters: ParameterValues;
  readonly users: number;
  readonly target: Target;
}

/** What is drawn of one value of the parameter that a curve goes over. */
export interface CurvePoint {
  readonly x: number;
  readonly bracket: Interval;
  readonly bounds: readonly Pick<AccountedBound, 'name' | 'direction' | 'value' | 'verdict'>[];
}

export type AccountContract = {
  /** The ranges of one mechanism's parameters at these values. */
  readonly ranges: {
    readonly given: { readonly mechanism: string; readonly parameters: ParameterValues };
    readonly answer: readonly ShownParameter[];
  };
  /** What is certified in milliseconds, then with the published bounds beside it. */
  readonly quick: { readonly given: AccountSetting; readonly answer: Account };
  /** The whole account, and the works that it rests on. */
  readonly whole: {
    readonly given: AccountSetting;
    readonly answer: { readonly account: Account; readonly works: readonly CitationKey[] };
  };
  /** Points of curves, each as it is known; a point may come twice, the second time sharper. */
  readonly curve: {
    readonly given: {
      readonly setting: AccountSetting;
      readonly over: string;
      readonly values: readonly number[];
      readonly sharp: boolean;
    };
    readonly answer: CurvePoint;
  };
};
