/** Messages that are rows of several entries in one column. */
import type { Column, MessageColumns, RandomStream, ShuffledMessages, UserMessages } from '@shuffle-dp/core';
import { shuffle } from './shuffle.ts';

/**
 * As `shuffle` for messages of `width` entries a column: message i stands at i * width. The user batch is
 * used up.
 *
 * @param width entries of a message in each column
 * @example shuffleRows({ columns: { bit: Uint8Array.of(0, 1, 0, 1) }, count: 2 }, 2, RandomStream.fromSeed('example')).count // 2
 */
export function shuffleRows<Columns extends MessageColumns>(
  messages: UserMessages<Columns>,
  width: number,
  stream: RandomStream,
): ShuffledMessages<Columns> {
  const { count } = messages;
  const row = Uint32Array.from({ length: count }, (_, i) => i);
  const order = shuffle({ columns: { row }, count }, stream).columns.row;
  for (const column of Object.values<Column>(messages.columns)) {
    const sent = column.slice(0, count * width);
    for (let i = 0; i < count; i++) {
      const from = order[i]! * width;
      for (let j = 0; j < width; j++) column[i * width + j] = sent[from + j]!;
    }
  }
  messages.count = 0;
  return { columns: messages.columns, count } as ShuffledMessages<Columns>;
}
