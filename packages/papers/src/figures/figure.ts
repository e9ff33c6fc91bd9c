/** A figure or table of one of the papers, or of our own map, and what it takes to make it again. */
import type { CaptionedChart } from '@shuffle-dp/experiments/charts';
import type { Workforce } from '@shuffle-dp/experiments/pool';
import type { Paper } from '../paper-names.ts';
import type { ResultTable } from './figure-table.ts';

/** Whose figures they are: a paper's, or those of our map of protocols. */
export type FigureSource = Paper | 'map';

export interface FigureContext extends Workforce {
  /** Fewer points and trials. */
  readonly quick: boolean;
  /** Without the curves that no claim judges, where they take long. */
  readonly onlyJudged?: boolean;
  /**
   * The figure's own folder: runs keep their journals here, so that a stopped figure goes on where it was.
   */
  readonly folder: string;
  /** One line of what is being done. */
  readonly report: (line: string) => void;
}

export interface FigureResult<Column extends string = string> {
  readonly charts: readonly CaptionedChart[];
  /** The numbers behind the charts. */
  readonly table: ResultTable<Column>;
  /** How the figure was made: seeds, configs, what differs from the paper. */
  readonly notes: readonly string[];
}

/** @typeParam Column those of its table */
export interface Figure<Column extends string = string> {
  /** 'seg.fig2' */
  readonly id: string;
  readonly paper: FigureSource;
  readonly title: string;
  /** In our own words. */
  readonly caption: string;
  /** About how many seconds it takes on two cores, after the figures whose runs it uses. */
  readonly cost: { readonly full: number; readonly quick: number };
  make(context: FigureContext): Promise<FigureResult<Column>>;
}
