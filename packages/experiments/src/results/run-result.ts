/** What a run leaves behind, as plain data: CSV files, the report and the figures are views of it. */
import type { Adjacency, PrivacyStatement, ShuffleTrace, SimulationPath } from '@shuffle-dp/core';
import type { TopQuality } from '@shuffle-dp/protocols';
import type { RunProvenance } from '../run-folder/journal.ts';
import type { ErrorMeasure, EstimateError, ExperimentConfig, Postprocessing } from '../config/schema.ts';

export type ParameterValue = number | string | readonly number[];

/** The error by which protocols are compared, over the trials of a cell. */
export interface MeanError {
  readonly mean: number;
  /** 95 %, of the mean; from 0 to infinity for a single trial. */
  readonly interval: { readonly lower: number; readonly upper: number };
  /** Expected by the closed form; null where there is none. */
  readonly theory: number | null;
  /** Variance of the mean over its square, as the interval takes it; infinite for a single trial. */
  readonly relativeVariance: number;
}

/** One entry an item, over all trials. */
export interface ItemAnswers {
  /** Mean of what is true. */
  readonly truths: Float64Array;
  /** Mean of the estimates. */
  readonly means: Float64Array;
  /** Sum of their squared distances from that mean. */
  readonly spreads: Float64Array;
}

/** One parameter combination of one protocol: what a row of results.csv is about. */
export interface CellResult {
  /** Hash of everything that determines the outcome: 16 hexadecimal digits. */
  readonly cell: string;
  /** Index of the protocol in the config; the cells of one sweep share it. */
  readonly series: number;
  readonly kind: string;
  /** Name in tables and charts. */
  readonly protocol: string;
  readonly description: string;
  /** Kind of the data set. */
  readonly dataset: string;
  readonly users: number;
  readonly domain: number;
  /** Items per user; 1 for categories. */
  readonly items: number;
  /** Of what is said of all users at once: the largest of the levels' own, where they have any. */
  readonly delta: number;
  /** The deltas that levels asked for; absent where all ask for one. */
  readonly levelDeltas?: readonly number[];
  readonly simulation: SimulationPath;
  readonly postprocess: Postprocessing;
  /** The values that the config gives, by name; those with a list in the config are swept. */
  readonly sweep: Readonly<Record<string, number | string>>;
  /** Parameters in effect, optimised ones included. */
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  readonly trials: number;
  /**
   * Squared error against the empirical frequencies by the run's measure, total over the domain, mean over
   * trials.
   */
  readonly mse: number;
  /** 95 % interval of `mse`, never below zero; from 0 to infinity for a single trial. */
  readonly mseInterval: { readonly lower: number; readonly upper: number };
  /** The error that the config compares by: `mse` by default. */
  readonly error: MeanError;
  /**
   * That error in trials which only chose among the settings of a sweep; null where theory is known of all of
   * them, or there was nothing to choose.
   */
  readonly choiceError: number | null;
  /** `mse` against the distribution that the data were drawn from; null where there is none. */
  readonly msePopulation: number | null;
  /** Expected error by the closed form, mean over the trials' data; null where there is none. */
  readonly mseTheory: number | null;
  /** The error bound that the literature prints, where it does. */
  readonly mseBound: number | null;
  /** Largest mean error of an item, in absolute value. */
  readonly biasMaxAbs: number;
  /** Expected, and where the data decide the mean over the trials' data; so is the next. */
  readonly messagesPerUser: number;
  readonly bitsPerUser: number;
  /** What is proved: one statement per group of users that is protected differently. */
  readonly certified: readonly PrivacyStatement[];
  /** What the protocol's own accounting states; may repeat a published claim that is not proved. */
  readonly stated: readonly PrivacyStatement[];
  /** Of lists of the most frequent, means over the trials; absent where none is looked for. */
  readonly quality?: TopQuality;
  /** Item by item, over the trials; null where there are more items than a table has rows for. */
  readonly answers: ItemAnswers | null;
  /**
   * Squared error of every trial, in order; trials of one number have the same data in all cells of one
   * `dataKey`.
   */
  readonly squaredErrors: readonly number[];
  /** The error that the config compares by, likewise. */
  readonly errors: readonly number[];
  /** Cells with the same key were run on the same data sets, trial by trial. */
  readonly dataKey: string;
  /** Seconds that the trials took, summed over workers; outside the promise of identical results. */
  readonly seconds: number;
}

/** A cell that a run knows by name, whether it was run or not. */
export type NamedCell = Pick<
  CellResult,
  'cell' | 'series' | 'kind' | 'protocol' | 'users' | 'delta' | 'sweep' | 'dataKey'
>;

/** A cell that cannot be made at equal certified privacy, and was not run. */
export interface RefusedCell extends NamedCell {
  /** In one line. */
  readonly why: string;
}

export interface Provenance extends RunProvenance {
  readonly cores: number;
}

/**
 * Shares of all users who hold each item, in the data that the users are drawn from: as they come, and padded
 * to one size.
 */
export interface PaddedShares {
  /** Items before padding: those from here on are added. */
  readonly domain: number;
  readonly before: readonly number[];
  readonly after: readonly number[];
}

export interface RunResult {
  readonly config: ExperimentConfig;
  /** The config file as it was named. */
  readonly configFile: string;
  readonly cells: readonly CellResult[];
  /** At equal certified privacy those that cannot be made, in the order of the config; absent for none. */
  readonly refused?: readonly RefusedCell[];
  readonly provenance: Provenance;
  readonly adjacency: Adjacency;
  /** What `mse` is of. */
  readonly measure: ErrorMeasure;
  /** What protocols are compared by. */
  readonly error: EstimateError;
  /** Which frequencies errors are measured against, in words. */
  readonly truth: string;
  /**
   * Which sizes neighbours' sets may have, in words; absent where sets come in one size, or users hold
   * something else.
   */
  readonly sizes?: string;
  /** What users call the quantities that are estimated; absent where they have no names. */
  readonly itemNames?: readonly string[];
  /**
   * What padding changes of the frequencies; absent where sets come in one size, or users hold something
   * else.
   */
  readonly padded?: PaddedShares;
  /** Users of the data file that are left out for missing values; absent for none. */
  readonly skippedUsers?: number;
  /** How the data were read, where a user should know; absent for nothing. */
  readonly dataNotes?: readonly string[];
  /** The names of the swept and given parameters, in the order of columns. */
  readonly parameterColumns: readonly string[];
  /** The names whose values differ between cells of one protocol. */
  readonly sweptParameters: readonly string[];
  /** A look at the shuffle of one cell, where a trace was asked for. */
  readonly trace?: readonly ShuffleTrace[];
}

/** Epsilon of the whole protocol: that of its worst protected group. */
export function worstEpsilon(statements: readonly PrivacyStatement[]): {
  readonly lower: number;
  readonly upper: number;
  readonly statement: PrivacyStatement;
} {
  let statement = statements[0]!;
  let lower = 0;
  for (const candidate of statements) {
    lower = Math.max(lower, candidate.epsilon.lower);
    if (candidate.epsilon.upper > statement.epsilon.upper) statement = candidate;
  }
  return { lower, upper: statement.epsilon.upper, statement };
}
