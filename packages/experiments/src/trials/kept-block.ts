/**
 * The messages of a block of users in their buckets, kept for the shuffle: in memory that threads share, or
 * in a file.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import type { Column, MessageColumns } from '@shuffle-dp/core';
import type { ScatteredBlock } from '@shuffle-dp/shuffler';
import { DiskError } from '../run-folder/disk-error.ts';

const ELEMENTS = { Uint8Array, Uint16Array, Uint32Array, Int32Array, Float32Array, Float64Array } as const;

/** A column over memory that threads share. */
function sharedColumn(
  elements: keyof typeof ELEMENTS,
  memory: SharedArrayBuffer,
  at: number,
  count: number,
): Column {
  const Elements = ELEMENTS[elements] as new (memory: SharedArrayBuffer, at: number, count: number) => Column;
  return new Elements(memory, at, count);
}

/** A column that was kept: its elements, and where its first byte stands. */
interface KeptColumn {
  readonly name: string;
  readonly elements: keyof typeof ELEMENTS;
  readonly at: number;
}

/** Plain data: it crosses between threads as it is, without a copy of the messages. */
export interface KeptBlock {
  readonly columns: readonly KeptColumn[];
  readonly bytes: number;
  /** Bucket b holds messages [bounds[b], bounds[b + 1]); shared. */
  readonly bounds: Uint32Array;
  readonly place: SharedArrayBuffer | string;
}

/** Columns begin where elements of any type may. */
const ALIGNMENT = 8;

/** @param file where the messages are written; without it they stay in memory @throws DiskError */
export function keepBlock({ columns, count, bounds }: ScatteredBlock, file: string | null): KeptBlock {
  const kept: KeptColumn[] = [];
  let bytes = 0;
  for (const [name, column] of Object.entries<Column>(columns)) {
    kept.push({ name, elements: column.constructor.name as keyof typeof ELEMENTS, at: bytes });
    bytes += ALIGNMENT * Math.ceil((count * column.BYTES_PER_ELEMENT) / ALIGNMENT);
  }
  const sharedBounds = new Uint32Array(new SharedArrayBuffer(bounds.byteLength));
  sharedBounds.set(bounds);
  const block = { columns: kept, bytes, bounds: sharedBounds };
  if (file === null) {
    const place = new SharedArrayBuffer(bytes);
    for (const { name, elements, at } of kept)
      sharedColumn(elements, place, at, count).set(columns[name]!.subarray(0, count));
    return { ...block, place };
  }
  writeFile(file, (descriptor) => {
    for (const { name, at } of kept) writeAll(descriptor, bytesOf(columns[name]!, 0, count), at);
  });
  return { ...block, place: file };
}

function writeFile(file: string, write: (descriptor: number) => void): void {
  try {
    const descriptor = openSync(file, 'wx');
    try {
      write(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw new DiskError(file, error);
  }
}

/**
 * Buckets [from, to) of some blocks: calls `use` with the messages of each bucket, one block's after the
 * other, in columns used again.
 */
export function eachBucket(
  blocks: readonly KeptBlock[],
  from: number,
  to: number,
  use: (columns: MessageColumns, count: number, bucket: number) => void,
): void {
  const sizes = Array.from({ length: to - from }, (_, i) =>
    blocks.reduce((sum, { bounds }) => sum + bounds[from + i + 1]! - bounds[from + i]!, 0),
  );
  const most = Math.max(...sizes);
  const room = Object.fromEntries(
    blocks[0]!.columns.map(({ name, elements }) => [name, new ELEMENTS[elements](most)]),
  );
  const opened = blocks.map(openBlock);
  try {
    sizes.forEach((size, i) => {
      let end = 0;
      for (const { bounds, read } of opened) {
        const [start, stop] = [bounds[from + i]!, bounds[from + i + 1]!];
        read(start, stop, room, end);
        end += stop - start;
      }
      use(room, size, from + i);
    });
  } finally {
    for (const { close } of opened) close();
  }
}

interface OpenBlock {
  readonly bounds: Uint32Array;
  /** Writes messages [start, stop) to `target` from place `at` on. */
  read(start: number, stop: number, target: MessageColumns, at: number): void;
  close(): void;
}

function openBlock({ columns, bounds, place }: KeptBlock): OpenBlock {
  const count = bounds.at(-1)!;
  if (typeof place !== 'string') {
    const views = columns.map(({ name, elements, at }) => ({
      name,
      column: sharedColumn(elements, place, at, count),
    }));
    return {
      bounds,
      read: (start, stop, target, at) => {
        for (const { name, column } of views) target[name]!.set(column.subarray(start, stop), at);
      },
      close: () => {},
    };
  }
  const descriptor = openSync(place, 'r');
  return {
    bounds,
    read: (start, stop, target, at) => {
      for (const { name, at: first } of columns) {
        const column = target[name]!;
        readAll(descriptor, bytesOf(column, at, at + stop - start), first + start * column.BYTES_PER_ELEMENT);
      }
    },
    close: () => closeSync(descriptor),
  };
}

function bytesOf(column: Column, start: number, end: number): Uint8Array {
  const size = column.BYTES_PER_ELEMENT;
  return new Uint8Array(column.buffer, column.byteOffset + start * size, (end - start) * size);
}

/** One call may write a part only. */
function writeAll(descriptor: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length;)
    done += writeSync(descriptor, bytes, done, bytes.length - done, position + done);
}

function readAll(descriptor: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length;) {
    const read = readSync(descriptor, bytes, done, bytes.length - done, position + done);
    if (read === 0) throw new Error('a file of messages ends early');
    done += read;
  }
}
