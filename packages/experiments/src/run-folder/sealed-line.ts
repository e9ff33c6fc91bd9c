/**
 * Lines of JSON that show when they were changed. The last field of a line is the beginning of the SHA-256 of
 * its other bytes and of the seal of the line before it, so that a changed, lost, doubled or moved line
 * breaks the chain from there on. This notices damage by disks, editors and scripts; whoever computes the
 * seals anew is not kept from anything.
 */
import { createHash } from 'node:crypto';

/** The seal before the first line. */
export const NO_SEAL = '';

const DIGITS = 16;
const FIELD = ',"seal":"';
const END = '"}';
const TAIL_BYTES = FIELD.length + DIGITS + END.length;

export interface SealedLine {
  /** Without the end of the line. */
  readonly text: string;
  readonly seal: string;
}

/** @param json an object with at least one field, on one line @param before the seal of the line before */
export function sealLine(json: string, before: string): SealedLine {
  const seal = sealOf(Buffer.from(json.slice(0, -1), 'utf8'), before);
  return { text: `${json.slice(0, -1)}${FIELD}${seal}${END}`, seal };
}

/**
 * What was sealed, with its seal; null where the line is not what it was, or does not follow the line before.
 */
export function openLine(
  line: Uint8Array,
  before: string,
): { readonly json: string; readonly seal: string } | null {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
  const body = bytes.subarray(0, Math.max(0, bytes.length - TAIL_BYTES));
  const seal = sealOf(body, before);
  if (bytes.toString('latin1', body.length) !== `${FIELD}${seal}${END}`) return null;
  return { json: `${body.toString('utf8')}}`, seal };
}

function sealOf(body: Uint8Array, before: string): string {
  return createHash('sha256').update(before, 'latin1').update(body).digest('hex').slice(0, DIGITS);
}
