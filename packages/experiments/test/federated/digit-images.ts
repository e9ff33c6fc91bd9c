/** Small images of digits in the format of MNIST. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RandomStream } from '@shuffle-dp/core';

/** Images of 3 x 3 pixels, one of which tells the digit, 0 to 8. */
export function writeImages(folder: string, name: string, count: number): void {
  const stream = RandomStream.fromSeed(name);
  const labels = Uint8Array.from({ length: count }, () => stream.integerBelow(9));
  const pixels = new Uint8Array(count * 9).map(() => stream.integerBelow(60));
  labels.forEach((label, i) => (pixels[i * 9 + label] = 255));
  const header = (sizes: readonly number[]): Buffer => {
    const bytes = Buffer.alloc(4 + 4 * sizes.length);
    bytes[2] = 8;
    bytes[3] = sizes.length;
    sizes.forEach((size, i) => bytes.writeUInt32BE(size, 4 + 4 * i));
    return bytes;
  };
  writeFileSync(join(folder, `${name}-images-idx3-ubyte`), Buffer.concat([header([count, 3, 3]), pixels]));
  writeFileSync(join(folder, `${name}-labels-idx1-ubyte`), Buffer.concat([header([count]), labels]));
}
