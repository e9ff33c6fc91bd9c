/** Shuffling, in nanoseconds a message, beside a plain Fisher-Yates. */
import { RandomStream } from '@shuffle-dp/core';
import { shuffle } from '@shuffle-dp/shuffler';
import { fastest, type BenchmarkRow } from './row.ts';

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

/** Seconds of one run, of what is long and compiled by now. */
function once(run: () => void): number {
  const start = performance.now();
  run();
  return (performance.now() - start) / 1000;
}

export function rows(): BenchmarkRow[] {
  const stream = RandomStream.fromSeed('benchmark');
  return [1e5, 1e6, 1e7, 1e8].map((count) => {
    const value = Uint32Array.from({ length: count }, (_, i) => i);
    const nanoseconds = (seconds: number): number => (seconds / count) * 1e9;
    const repeats = count > 1e6 ? 2 : 5;
    const others = ELSEWHERE[count];
    const ours = nanoseconds(fastest(() => void shuffle({ columns: { value }, count }, stream), repeats));
    const plain = nanoseconds(
      count > 1e7 ? once(() => plainShuffle(value, stream)) : fastest(() => plainShuffle(value, stream), 1),
    );
    return {
      group: 'shuffle',
      name: `${count} messages`,
      value: ours,
      unit: 'ns a message',
      baseline: { name: 'plain Fisher-Yates', value: plain },
      ratio: plain / ours,
      ...(others === undefined ? {} : { others }),
    };
  });
}
