/**
 * From the path of a stream to the state of its generator.
 *
 * seedrandom's default generator repeats a short key ('1' and '11' are one stream) and takes character codes
 * modulo 256, so it never sees a user's text: it gets the 64 hexadecimal digits of the SHA-256 of the whole
 * path.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import seedrandom from 'seedrandom';

/** Raised whenever the same path is to give other numbers. */
const DERIVATION = 'shuffle-dp stream 1';

/** A label as one segment of a path: '/' and '%' are escaped, so ['a/b'] and ['a', 'b'] stay apart. */
export function pathSegment(label: string): string {
  return label.replaceAll('%', '%25').replaceAll('/', '%2F');
}

/** Four 32-bit words, never all zero. */
export function stateFromPath(path: string): Int32Array {
  const key = bytesToHex(sha256(utf8ToBytes(`${DERIVATION}\n${path}`)));
  const source = seedrandom(key);
  const state = new Int32Array(4);
  do {
    for (let i = 0; i < 4; i++) state[i] = source.int32();
  } while (state.every((word) => word === 0));
  return state;
}
