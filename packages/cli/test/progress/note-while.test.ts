import { describe, expect, it } from 'vitest';
import { interval } from '@shuffle-dp/core';
import { noteWhile, sharpestOf, soFar } from '../../src/progress/note-while.ts';

function terminal(isTTY: boolean) {
  const written: string[] = [];
  return { written, stream: { isTTY, write: (text: string) => written.push(text) } };
}

const CLEARED = '\r\u{1B}[K';

describe('a note while something is computed', () => {
  it('is on the terminal meanwhile, and gone after', async () => {
    const { written, stream } = terminal(true);
    const result = await noteWhile('searching …', { stream }, () => {
      expect(written).toEqual(['searching …']);
      return 7;
    });
    expect(result).toBe(7);
    expect(written).toEqual(['searching …', CLEARED]);
  });

  it('is replaced by what is noted meanwhile', async () => {
    const { written, stream } = terminal(true);
    await noteWhile('searching …', { stream }, (note) => note('calibrating …'));
    expect(written).toEqual(['searching …', `${CLEARED}calibrating …`, CLEARED]);
  });

  it('is gone after a refusal too', async () => {
    const { written, stream } = terminal(true);
    const refused = noteWhile('searching …', { stream }, () => Promise.reject(new Error('refused')));
    await expect(refused).rejects.toThrow('refused');
    expect(written.at(-1)).toBe(CLEARED);
  });

  it.each([
    [false, false],
    [true, true],
  ])('is not written for programs, nor where nothing is wanted', async (isTTY, quiet) => {
    const { written, stream } = terminal(isTTY);
    expect(await noteWhile('searching …', { stream, quiet }, () => 7)).toBe(7);
    expect(written).toEqual([]);
  });

  it('says what is proved so far, and the last account is the result', async () => {
    const { written, stream } = terminal(true);
    const stages = [
      { bracket: interval(0, Infinity) },
      { bracket: interval(0.1, 0.2) },
      { bracket: interval(0.1, 0.15) },
    ];
    const last = await sharpestOf(stages.values(), ({ bracket }) => soFar({ delta: 1e-6 }, bracket), {
      stream,
    });
    expect(last).toBe(stages[2]);
    expect(written.filter((text) => text !== CLEARED)).toEqual([
      'proving epsilon …',
      'epsilon between 0.1 and 0.2 so far …',
      'epsilon between 0.1 and 0.15 so far …',
    ]);
  });
});
