/**
 * Messages as bytes, all of one length: the entries of every column in turn, little-endian. Which columns
 * there are, and how wide, follows from the protocol alone, never from what a user holds, so a length tells
 * nothing.
 */
import type { Column, MessageColumns } from '@shuffle-dp/core';

/** By the names that a DataView has for them. */
const ELEMENTS = {
  Uint8: Uint8Array,
  Uint16: Uint16Array,
  Uint32: Uint32Array,
  Int32: Int32Array,
  Float32: Float32Array,
  Float64: Float64Array,
} as const;

type ElementName = keyof typeof ELEMENTS;

interface ColumnLayout {
  readonly name: string;
  readonly element: ElementName;
}

/** Plain data. */
export interface MessageLayout {
  readonly columns: readonly ColumnLayout[];
  /** Entries of a message in each column. */
  readonly width: number;
  /** Of a message. */
  readonly bytes: number;
}

/**
 * How messages of these columns are written.
 * @param width entries of a message in each column
 * @example layoutOf({ seed: Uint32Array.of(), bucket: Uint16Array.of() }).bytes // 6
 */
export function layoutOf(columns: MessageColumns, width = 1): MessageLayout {
  let bytes = 0;
  const laidOut = Object.entries<Column>(columns).map(([name, column]) => {
    bytes += width * column.BYTES_PER_ELEMENT;
    return { name, element: elementOf(column) };
  });
  return { columns: laidOut, width, bytes };
}

function elementOf(column: Column): ElementName {
  return (Object.keys(ELEMENTS) as ElementName[]).find((name) => column instanceof ELEMENTS[name])!;
}

/**
 * Message i as bytes, of the same length for every message of a layout.
 * @example encodeMessage({ value: Uint16Array.of(7, 513) }, 1, layoutOf({ value: Uint16Array.of() })) // [1, 2]
 */
export function encodeMessage(columns: MessageColumns, i: number, layout: MessageLayout): Uint8Array {
  const bytes = new Uint8Array(layout.bytes);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const { name, element } of layout.columns) {
    const column = columns[name]!;
    for (let j = i * layout.width; j < (i + 1) * layout.width; j++) {
      view[`set${element}`](at, column[j]!, true);
      at += column.BYTES_PER_ELEMENT;
    }
  }
  return bytes;
}

/**
 * The columns of messages that are bytes, in their order.
 * @throws RangeError for one of another length
 * @example decodeMessages([Uint8Array.of(1, 2)], layoutOf({ value: Uint16Array.of() })).value // [513]
 */
export function decodeMessages(messages: readonly Uint8Array[], layout: MessageLayout): MessageColumns {
  const { width } = layout;
  const columns = layout.columns.map(({ element }) => new ELEMENTS[element](messages.length * width));
  messages.forEach((bytes, i) => {
    if (bytes.length !== layout.bytes)
      throw new RangeError(`a message has ${bytes.length} bytes, not ${layout.bytes}`);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = 0;
    layout.columns.forEach(({ element }, c) => {
      const column = columns[c]!;
      for (let j = i * width; j < (i + 1) * width; j++) {
        column[j] = view[`get${element}`](at, true);
        at += column.BYTES_PER_ELEMENT;
      }
    });
  });
  return Object.fromEntries(layout.columns.map(({ name }, c) => [name, columns[c]!]));
}
