/**
 * One text for one value, whatever the order of its fields: what hashes of configs and cells are taken of.
 */
import { createHash } from 'node:crypto';

/** JSON with sorted keys, fields that are undefined left out, and numbers that JSON lacks as words. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return JSON.stringify(String(value));
  if (Array.isArray(value)) return `[${value.map((entry) => canonicalJson(entry)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value)
      .filter(([, entry]) => entry !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, entry]) => `${JSON.stringify(key)}:${canonicalJson(entry)}`);
    return `{${fields.join(',')}}`;
  }
  return JSON.stringify(value);
}

/** SHA-256 of the canonical text, in hexadecimal. */
export function canonicalHash(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value), 'utf8').digest('hex');
}

/**
 * Numbers in JSON, also where JSON has none; arrays of doubles by their bytes, little-endian as all platforms
 * of Node.
 */
export function encodeNumbers(_key: string, value: unknown): unknown {
  if (value instanceof Float64Array)
    return { doubles: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
  return typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value;
}

/** Undoes `encodeNumbers`: the reviver to hand to `JSON.parse`. */
export function decodeNumbers(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  const [name, text] = entries.length === 1 ? entries[0]! : [];
  if (typeof text !== 'string') return value;
  if (name === 'number') return Number(text);
  return name === 'doubles' ? new Float64Array(new Uint8Array(Buffer.from(text, 'base64')).buffer) : value;
}
