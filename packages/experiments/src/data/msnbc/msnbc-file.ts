/**
 * The UCI "MSNBC.com Anonymous Web Data" file (DOI 10.24432/C5390X), plain or gzipped: header lines, then one
 * user a line with the categories of their page views, 1 to 17, in order. A user's set is the distinct
 * categories.
 */
import type { SetCollection } from '../item-sets/item-sets.ts';
import { DataFileError, type DataFile } from '../data-file.ts';
import { MSNBC_CATEGORIES } from './msnbc-mixture.ts';

const DOMAIN = MSNBC_CATEGORIES.length;
const NEWLINE = 0x0a;
const SPACE = 0x20;
const RETURN = 0x0d;
const ZERO = 0x30;
const PERCENT = 0x25;

/** @throws DataFileError naming the line of the first fault */
export function parseMsnbc({ file, bytes }: DataFile): SetCollection {
  const length = bytes.length;
  const masks = new Uint32Array(countLines(bytes));
  let users = 0;
  let total = 0;
  let line = 1;
  let inHeader = true;
  for (let start = 0; start < length; line++) {
    let stop = bytes.indexOf(NEWLINE, start);
    // The published file does not end its last line.
    if (stop < 0) stop = length;
    const next = stop + 1;
    if (stop > start && bytes[stop - 1] === RETURN) stop--;
    if (inHeader && isDigit(bytes[start]!)) inHeader = false;
    if (!inHeader) {
      const mask = categoryMask(bytes, start, stop);
      if (mask <= 0) {
        const content = bytes.toString('latin1', start, Math.min(stop, start + 40));
        throw new DataFileError(
          file,
          content === ''
            ? 'is empty'
            : `${JSON.stringify(content)} is not a list of categories from 1 to ${DOMAIN}`,
          line,
        );
      }
      masks[users++] = mask;
      total += bitCount(mask);
    } else if (start < stop && bytes[start] !== PERCENT && !isWord(bytes[start]!)) {
      throw new DataFileError(file, 'is neither a header nor a list of categories', line);
    }
    start = next;
  }
  if (users === 0) throw new DataFileError(file, 'has no users');
  const items = new Uint16Array(total);
  const offsets = new Uint32Array(users + 1);
  let end = 0;
  for (let u = 0; u < users; u++) {
    for (let category = 0; category < DOMAIN; category++) {
      if ((masks[u]! >>> category) & 1) items[end++] = category;
    }
    offsets[u + 1] = end;
  }
  return { domain: DOMAIN, items, offsets };
}

/** The categories of a line as bits; 0 for none, -1 for anything that is not a category. */
function categoryMask(bytes: Buffer, start: number, stop: number): number {
  let mask = 0;
  for (let i = start; i < stop;) {
    if (bytes[i] === SPACE) {
      i++;
      continue;
    }
    let category = 0;
    const first = i;
    while (i < stop && isDigit(bytes[i]!) && i - first < 3) category = category * 10 + bytes[i++]! - ZERO;
    const ends = i === stop || bytes[i] === SPACE;
    if (!ends || i === first || category < 1 || category > DOMAIN) return -1;
    mask |= 1 << (category - 1);
  }
  return mask;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte < ZERO + 10;
}

function isWord(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}

function bitCount(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines + (bytes[bytes.length - 1] === NEWLINE ? 0 : 1);
}
