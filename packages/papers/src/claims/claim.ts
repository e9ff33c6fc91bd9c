/** A printed number or a statement of one of the papers, and how this code measures it. */
import type { Workforce } from '@shuffle-dp/experiments/pool';
import type { ResultTable } from '../figures/figure-table.ts';
import type { Figure } from '../figures/figure.ts';
import type { Paper } from '../paper-names.ts';

/**
 * - reproduced: what the paper says is what we measure, within the tolerance that the claim's `criterion`
 *   states
 * - differs: we measure something else, without a proof that the statement is wrong
 * - refuted: certified or exact computations contradict it; they are the evidence
 * - not-run: it could not be measured here; the note says why
 */
export type ClaimVerdict = 'reproduced' | 'differs' | 'refuted' | 'not-run';

export interface Finding {
  readonly verdict: ClaimVerdict;
  /** In one or two sentences, with the numbers that decide. */
  readonly measured: string;
  /** Why the verdict is what it is. */
  readonly note: string;
  /** The numbers behind `measured`. */
  readonly evidence: ResultTable;
}

export type FigureSetting = 'quick' | 'full' | 'judged';

export interface ClaimContext extends Workforce {
  /**
   * The numbers of a figure or table of `shuffle-dp figures`, made once for all claims. 'judged': as 'full',
   * without curves that no claim judges.
   */
  figureTable<Column extends string>(
    figure: Figure<Column>,
    setting: FigureSetting,
  ): Promise<ResultTable<Column>>;
  /** Runs of claims keep their journals here. */
  readonly folder: string;
}

export interface Claim {
  /** 'vr.table5' */
  readonly id: string;
  readonly paper: Paper;
  /** Where it is printed: 'Table 5'. */
  readonly source: string;
  /** Figures and tables that it is about, besides the one with its id. */
  readonly figures?: readonly string[];
  /** What the paper says, in our words. */
  readonly published: string;
  /** When it counts as reproduced, or as refuted. */
  readonly criterion: string;
  /**
   * 'alone': it states a time, and nothing else runs meanwhile. 'threads': its work is left to threads of a
   * pool, and other claims are measured by this thread meanwhile. Default: one after the other.
   */
  readonly company?: 'alone' | 'threads';
  measure(context: ClaimContext): Finding | Promise<Finding>;
}
