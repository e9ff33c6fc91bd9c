/** The words for verdicts, in tables and pages: each means one thing. */
import type { Soundness, Verdict } from '@shuffle-dp/core';
import type { Counterexample } from '@shuffle-dp/accounting';

/** In general: of a theorem, whatever the number of users and delta. */
export const GENERAL_WORDS: Readonly<Record<`${Soundness}`, string>> = {
  true: 'sound',
  false: 'refuted',
  unproven: 'unproven',
};

/** Of a number at its parameters. */
export const HERE_WORDS: Readonly<Record<Verdict, string>> = {
  certified: 'holds here',
  refuted: 'refuted here',
  unproven: 'unproven here',
};

/** How a table heads the columns of both. */
export const VERDICT_COLUMNS = ['in general', 'at these values'] as const;

/** The cells under `VERDICT_COLUMNS`. */
export function verdictCells({
  sound,
  verdict,
}: {
  readonly sound: Soundness;
  readonly verdict: Verdict | null;
}): [string, string] {
  return [GENERAL_WORDS[`${sound}`], verdict === null ? '-' : HERE_WORDS[verdict]];
}

/** What the words mean, where a table uses them. */
export const VERDICT_LEGEND =
  'sound: proved; refuted: a data set exceeds it; unproven: neither; holds here: the certified bracket implies this value';

/**
 * A counterexample in one line: the command that shows it, what the bound states, and what a data set has at
 * least.
 */
export function counterexampleText({ command, stated, atLeast }: Counterexample): string {
  return `shuffle-dp ${command}: states ${stated}, a data set has at least ${atLeast}`;
}
