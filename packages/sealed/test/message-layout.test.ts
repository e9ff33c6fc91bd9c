import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeMessages, encodeMessage, layoutOf } from '../src/index.ts';

/** Messages as protocols have them. */
const KINDS = {
  'a category': { value: Uint8Array.of(0, 255, 16) },
  'a category of many': { value: Uint32Array.of(0, 2 ** 32 - 1, 7) },
  bits: { w0: Uint32Array.of(0x80000001, 0, 5), w1: Uint32Array.of(1, 2, 3) },
  'an item of a set': { item: Uint16Array.of(65535, 0, 258) },
  'a number': { value: Float64Array.of(-0.1, 1e300, Number.MIN_VALUE) },
  'a small number': { value: Float32Array.of(-0.5, 3.25, 0) },
  'a count of either sign': { sign: Int32Array.of(1, -1, 2 ** 31 - 1) },
  'a key with a bit': { key: Uint16Array.of(1, 2, 3), bit: Uint8Array.of(0, 1, 1) },
};

describe('messages as bytes', () => {
  it.each(Object.entries(KINDS))('%s', (_, columns) => {
    const layout = layoutOf(columns);
    const bytes = [0, 1, 2].map((i) => encodeMessage(columns, i, layout));
    expect(new Set(bytes.map(({ length }) => length))).toEqual(new Set([layout.bytes]));
    expect(decodeMessages(bytes, layout)).toEqual(columns);
  });

  it('are little-endian, column after column', () => {
    const columns = { key: Uint16Array.of(0x0102), value: Float64Array.of(1) };
    const layout = layoutOf(columns);
    expect(layout.bytes).toBe(10);
    expect(Array.from(encodeMessage(columns, 0, layout))).toEqual([2, 1, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f]);
  });

  it('rows of numbers', () => {
    fc.assert(
      fc.property(fc.float64Array({ minLength: 6, maxLength: 6, noNaN: true }), (direction) => {
        const layout = layoutOf({ direction }, 3);
        const bytes = [0, 1].map((i) => encodeMessage({ direction }, i, layout));
        expect(bytes[0]!.length).toBe(24);
        expect(decodeMessages(bytes, layout)).toEqual({ direction });
      }),
    );
  });

  it('of another length are refused', () => {
    const layout = layoutOf({ value: Uint16Array.of(1) });
    expect(() => decodeMessages([new Uint8Array(3)], layout)).toThrow('a message has 3 bytes, not 2');
  });
});
