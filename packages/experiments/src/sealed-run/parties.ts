/** What the parties of a sealed run tell each other. Plain data: it crosses from process to process. */
import type { MessageColumns, ShuffledMessages } from '@shuffle-dp/core';
import { formatMessage } from '@shuffle-dp/protocols';
import type { MessageLayout } from '@shuffle-dp/sealed';

/** Announced by the analyzer before messages are sent; nothing of it depends on what users hold. */
export interface Round {
  readonly number: number;
  /** What the messages are: 'data messages', 'privacy levels'. */
  readonly stage: string;
  /** Of the analyzer. */
  readonly publicKey: Uint8Array;
  /** What messages are sealed for: this run, this round; they open for no other. */
  readonly purpose: string;
  readonly layout: MessageLayout;
  /** Messages of a batch from as many users, by protocol alone. */
  readonly expected: number;
}

/** After a round the analyzer asks for another, or has its estimates. */
export type AnalyzerStep =
  | {
      readonly round: Round;
      /** The rounds before, opened: what the analyzer learnt is public, and users may have to know it. */
      readonly known: readonly ShuffledMessages[];
    }
  | { readonly estimates: Float64Array };

/** How often each verdict was given. */
export type Tally = Readonly<Record<string, number>>;

/** Counts the verdicts of a round. */
export function tally(verdicts: Iterable<string>): Tally {
  const counts: Record<string, number> = {};
  for (const verdict of verdicts) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}

/** The head of a party's view, line by line, for people; the whole of it is in the party's file. */
export type View = readonly string[];

/** Lines shown of a view. */
export const SHOWN = 4;

/** As much of a text as fits beside others. */
export function shortText(text: string): string {
  return text.length <= 32 ? text : `${text.slice(0, 31)}…`;
}

/** A sealed message as people compare it. */
export function shortHex(sealed: Uint8Array): string {
  const text = Buffer.from(sealed).toString('hex');
  return text.length <= 24 ? text : `${text.slice(0, 16)}…${text.slice(-6)}`;
}

/** What a message says. @param width entries of a message in each column */
export function inWords(columns: MessageColumns, i: number, width: number): string {
  if (width === 1) return formatMessage(columns, i);
  return Object.entries(columns)
    .map(([name, column]) => `${name} ${column.subarray(i * width, (i + 1) * width).join(' ')}`)
    .join(', ');
}

/** One party on its own side of a process, or on this. */
export type Reached<Party> = {
  readonly [Method in keyof Party]: Party[Method] extends (...given: infer Given) => infer Answer
    ? (...given: Given) => Answer | Promise<Awaited<Answer>>
    : never;
};
