/** Shuffling, in nanoseconds a message, beside a plain Fisher-Yates. */
import { RandomStream } from '@shuffle-dp/core';
import { shuffle } from '@shuffle-dp/shuffler';
import { fastest, once, timeRow, type BenchmarkRow } from './row.ts';

/** Nanoseconds of numpy's permutation, of kernels like ours, and of C. */
const ELSEWHERE: Readonly<Record<number, string>> = {
  1e6: '18; 7-9, 4.3',
  1e7: '45; 7.4-8.9, 3.7',
  1e8: '53; 8.3-9.6, 5.3',
};

function plainShuffle(values: Uint32Array, stream: RandomStream): void {
  for (let i = values.length - 1; i > 0; i--) {
    const j = Math.floor(stream.next() * (i + 1));
    const held = values[i]!;
    values[i] = values[j]!;
    values[j] = held;
  }
}

export function rows(): BenchmarkRow[] {
  const stream = RandomStream.fromSeed('benchmark');
  return [1e5, 1e6, 1e7, 1e8].map((count) => {
    const value = Uint32Array.from({ length: count }, (_, i) => i);
    const ours = fastest(() => void shuffle({ columns: { value }, count }, stream), count > 1e6 ? 2 : 5);
    const plain = (): void => plainShuffle(value, stream);
    return timeRow(
      'shuffle',
      `${count} messages`,
      'ns a message',
      ours / count,
      {
        name: 'plain Fisher-Yates',
        seconds: (count > 1e7 ? once(plain) : fastest(plain, 1)) / count,
      },
      ELSEWHERE[count],
    );
  });
}
