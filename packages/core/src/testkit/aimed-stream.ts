/** Random streams whose next word is chosen, for cases that chance would hardly ever show. */
import type { RandomStream } from '../random/random-stream.ts';

/** Inverses modulo 2^32. */
const INVERSE_OF_5 = 0xcccccccd;
const INVERSE_OF_9 = 0x38e38e39;

/**
 * Makes this the stream's next word: the generator's output function is a bijection of its second state word.
 */
export function aim(stream: RandomStream, word: number): RandomStream {
  const rotated = Math.imul(word, INVERSE_OF_9);
  stream.state[1] = Math.imul((rotated >>> 7) | (rotated << 25), INVERSE_OF_5);
  return stream;
}
