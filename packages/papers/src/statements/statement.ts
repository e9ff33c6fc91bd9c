/** What a paper states, item by item in its own order: where the code has it, and what was found. */

/**
 * How a statement stands where no claim of the ledger judges it.
 *
 * - `definition`: nothing to judge; the code uses it.
 * - `holds`: proved in docs/, or held against enumeration or exact values by the test that is named.
 * - `misprint`: what is printed cannot be meant; the note says what is.
 * - `refuted`: contradicted by a proof in docs/ or a test.
 * - `open`: neither proved nor refuted here.
 * - `background`: cited from elsewhere and used as it is, or not used at all.
 * - `missing`: not built; the note says why.
 */
export type Standing = 'definition' | 'holds' | 'misprint' | 'refuted' | 'open' | 'background' | 'missing';

/** One definition, theorem, lemma, proposition, algorithm, table, figure or numbered equation. */
export interface Statement {
  /** As the paper names it: 'Theorem 4.2', 'Equation (1)', 'Table 5', 'Section 7.2'. */
  readonly label: string;
  /** The section it stands in, as '4.1'; 'A' and so on for appendices. */
  readonly section: string;
  /** What it says, in a few words. */
  readonly says: string;
  /**
   * Where the code has it: 'accounting/one-round.ts: certifiedEpsilon', a path below packages/PACKAGE/src and
   * an export.
   */
  readonly code: readonly string[];
  /** The claims of the ledger that judge it. */
  readonly claims?: readonly string[];
  /** Where no claim does. */
  readonly standing?: Standing;
  /** A test file or page that shows the standing, from the root of the repository. */
  readonly shownBy?: string;
  readonly note?: string;
}

/** A statement that is cited from elsewhere, and is nowhere in the code. */
export function background(label: string, section: string, says: string): Statement {
  return { label, section, says, code: [], standing: 'background' };
}
