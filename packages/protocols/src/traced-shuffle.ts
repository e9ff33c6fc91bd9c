/** One shuffle of a batch, with a look at both sides of it where a trace is asked for. */
import type {
  LocalRandomizer,
  MessageCarrier,
  MessageColumns,
  RandomStream,
  ShuffledMessages,
  ShuffleTracer,
  UserMessages,
} from '@shuffle-dp/core';
import { shuffle, shuffleRows } from '@shuffle-dp/shuffler';

/** What looks on at the shuffle, or carries the messages in its place. */
export type Trace = ShuffleTracer | MessageCarrier;

/** Messages shown on either side. */
const SHOWN = 8;

export interface MessageFormat<Columns extends MessageColumns> {
  /** Message i as text; default column by column. */
  readonly format?: (columns: Columns, i: number) => string;
  /** Entries of a message in each column, default 1. */
  readonly width?: number;
}

/** The messages of a stage as the analyzer gets them. @param stream whose fork 'shuffle' permutes them */
export function shuffleWithTrace<Columns extends MessageColumns>(
  stage: string,
  messages: UserMessages<Columns>,
  stream: RandomStream,
  trace?: Trace,
  { format = formatMessage, width = 1 }: MessageFormat<Columns> = {},
): ShuffledMessages<Columns> {
  const permutation = stream.fork('shuffle');
  if (typeof trace === 'object') return trace.carry({ stage, messages, width, permutation });
  const before = trace ? look(messages, format) : [];
  const shuffled = width === 1 ? shuffle(messages, permutation) : shuffleRows(messages, width, permutation);
  trace?.({
    stage,
    permutedBy: permutation.path,
    messages: shuffled.count,
    before,
    after: look(shuffled, format),
  });
  return shuffled;
}

/** What one run draws from, and what looks on. */
export interface RunOfUsers {
  readonly users: number;
  /** Its fork 'messages' randomizes, and its fork 'shuffle' permutes. */
  readonly stream: RandomStream;
  readonly trace?: Trace | undefined;
}

/** The randomized messages of all users as the analyzer gets them. */
export function randomizedAndShuffled<Values, Columns extends MessageColumns>(
  stage: string,
  randomizer: Pick<LocalRandomizer<Values, Columns>, 'allocate' | 'randomizeInto'>,
  values: Values,
  { users, stream, trace }: RunOfUsers,
  format?: MessageFormat<Columns>,
): ShuffledMessages<Columns> {
  const messages = randomizer.allocate(users);
  randomizer.randomizeInto(values, messages, stream.fork('messages'));
  return shuffleWithTrace(stage, messages, stream, trace, format);
}

function look<Columns extends MessageColumns>(
  { columns, count }: { readonly columns: Columns; readonly count: number },
  format: (columns: Columns, i: number) => string,
): string[] {
  return Array.from({ length: Math.min(SHOWN, count) }, (_, i) => format(columns, i));
}

/** A message as text, column by column; rows of bits as the places of the ones. */
export function formatMessage(columns: MessageColumns, i: number): string {
  const entries = Object.entries(columns);
  if (entries[0]?.[0] !== 'w0') return entries.map(([name, column]) => `${name} ${column[i]}`).join(', ');
  const ones: number[] = [];
  entries.forEach(([, column], w) => {
    for (let bit = 0; bit < 32; bit++) if ((column[i]! >>> bit) & 1) ones.push(32 * w + bit);
  });
  return `{${ones.join(' ')}}`;
}
