/** What a reader of one paper wants to know, in words. */
import type { Paper } from '../paper-names.ts';
import type { Statement } from './statement.ts';

export interface PaperReading {
  readonly paper: Exclude<Paper, 'canonical-pair'>;
  /** What it sets out to do, and what it gave the field. */
  readonly claims: string;
  /** What we could confirm. */
  readonly holds: string;
  /** What we could not, and why. */
  readonly fails: string;
  /** What we would use in its place, or of it. */
  readonly today: string;
  /** In the paper's order. */
  readonly statements: readonly Statement[];
}
