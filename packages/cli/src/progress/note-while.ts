/** A line on the terminal for as long as something is computed that reports nothing before its end. */
import type { Interval, Target } from '@shuffle-dp/core';
import { shortEnds } from '../output/text-table.ts';

export interface NoteOptions {
  /** No line. */
  readonly quiet?: boolean | undefined;
  readonly stream?: { readonly isTTY?: boolean; write(text: string): unknown };
}

/**
 * What `work` returns, while `line` stands on the terminal, or what is noted in its place; programs that read
 * stderr see nothing of it.
 */
export async function noteWhile<Result>(
  line: string,
  { quiet = false, stream = process.stderr }: NoteOptions,
  work: (note: (next: string) => void) => Result | Promise<Result>,
): Promise<Result> {
  if (quiet || !stream.isTTY) return work(() => {});
  stream.write(line);
  try {
    return await work((next) => void stream.write(CLEARED_LINE + next));
  } finally {
    stream.write(CLEARED_LINE);
  }
}

/** The last of ever sharper accounts; meanwhile the terminal says what `lineOf` says of the one so far. */
export async function sharpestOf<Account>(
  stages: Iterator<Account>,
  lineOf: (account: Account) => string,
  options: NoteOptions,
): Promise<Account> {
  let last = stages.next();
  let account: Account | undefined;
  while (!last.done) {
    account = last.value;
    last = await noteWhile(lineOf(account), options, () => stages.next());
  }
  return account!;
}

/** What is proved of the target so far, and that more is being proved. */
export function soFar(target: Target, bracket: Interval): string {
  const what = 'delta' in target ? 'epsilon' : 'delta';
  return bracket.upper < Infinity
    ? `${what} between ${shortEnds(bracket, DIGITS)} so far …`
    : `proving ${what} …`;
}

const DIGITS = 4;

const CLEARED_LINE = '\r\u{1B}[K';
