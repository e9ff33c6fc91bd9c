import { expect, it } from 'vitest';
import { reusedMemory } from '../src/reused-memory.ts';

it('memory that is asked for again is the same, as long as asked, and of another place is another', () => {
  const [memory, other] = [reusedMemory(), reusedMemory()];
  const first = memory(4).fill(1);
  expect([...memory(2)]).toEqual([1, 1]);
  expect(memory(4).buffer).toBe(first.buffer);
  expect([...other(3)]).toEqual([0, 0, 0]);
  expect([...memory(5)]).toEqual([0, 0, 0, 0, 0]);
});
