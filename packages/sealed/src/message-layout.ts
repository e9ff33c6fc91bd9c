/**
 * Messages as bytes, all of one length: the entries of every column in turn, little-endian. Which columns
 * there are, and how wide, follows from the protocol alone, never from what a user holds, so a length tells
 * nothing.
 */
import type { Column, MessageColumns } from '@shuffle-dp/core';

const ELEMENTS = {
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
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

/** How messages of these columns are written. @param width entries of a message in each column */
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

/** Message i as bytes, of the same length for every message of a layout. */
export function encodeMessage(columns: MessageColumns, i: number, layout: MessageLayout): Uint8Array {
  const bytes = new Uint8Array(layout.bytes);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const { name, element } of layout.columns) {
    const column = columns[name]!;
    for (let j = i * layout.width; j < (i + 1) * layout.width; j++) {
      write(view, at, element, column[j]!);
      at += column.BYTES_PER_ELEMENT;
    }
  }
  return bytes;
}

/** The columns of messages that are bytes, in their order. @throws RangeError for one of another length */
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
        column[j] = read(view, at, element);
        at += column.BYTES_PER_ELEMENT;
      }
    });
  });
  return Object.fromEntries(layout.columns.map(({ name }, c) => [name, columns[c]!]));
}

function write(view: DataView, at: number, element: ElementName, value: number): void {
  switch (element) {
    case 'uint8':
      return view.setUint8(at, value);
    case 'uint16':
      return view.setUint16(at, value, true);
    case 'uint32':
      return view.setUint32(at, value, true);
    case 'int32':
      return view.setInt32(at, value, true);
    case 'float32':
      return view.setFloat32(at, value, true);
    case 'float64':
      return view.setFloat64(at, value, true);
  }
}

function read(view: DataView, at: number, element: ElementName): number {
  switch (element) {
    case 'uint8':
      return view.getUint8(at);
    case 'uint16':
      return view.getUint16(at, true);
    case 'uint32':
      return view.getUint32(at, true);
    case 'int32':
      return view.getInt32(at, true);
    case 'float32':
      return view.getFloat32(at, true);
    case 'float64':
      return view.getFloat64(at, true);
  }
}
