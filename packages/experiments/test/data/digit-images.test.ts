import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readDigitImages } from '../../src/data/images/digit-images.ts';
import { readIdxFile } from '../../src/data/images/idx-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'idx-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function idx(sizes: readonly number[], values: readonly number[], type = 8): Buffer {
  const header = Buffer.alloc(4 + 4 * sizes.length);
  header[2] = type;
  header[3] = sizes.length;
  sizes.forEach((size, i) => header.writeUInt32BE(size, 4 + 4 * i));
  return Buffer.concat([header, Buffer.from(values)]);
}

function save(name: string, content: Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

describe('an IDX file', () => {
  it('is read, plain or gzipped', () => {
    const content = idx([2, 3], [1, 2, 3, 4, 5, 255]);
    for (const file of [save('plain', content), save('zipped', gzipSync(content))]) {
      const { sizes, values } = readIdxFile(file, 2);
      expect(sizes).toEqual([2, 3]);
      expect([...values]).toEqual([1, 2, 3, 4, 5, 255]);
    }
  });

  it.each([
    ['of another format', Buffer.from('PNG, say'), 'is not an IDX file'],
    ['of floats', idx([1], [0], 0x0d), 'holds numbers of IDX type 13'],
    ['of one dimension', idx([1], [0]), 'has 1 dimensions, not 2'],
    ['cut in its header', idx([2, 2], []).subarray(0, 9), 'ends inside its header'],
    ['cut in its numbers', idx([2, 2], [1, 2, 3]), 'has 3 numbers after its header, which announces 2 x 2'],
    ['with too much in it', idx([2, 2], [1, 2, 3, 4, 5]), 'has 5 numbers'],
    ['that is empty', Buffer.alloc(0), 'is empty'],
  ])('%s is refused', (_, content, reason) => {
    const file = save('file', content);
    expect(() => readIdxFile(file, 2)).toThrow(`${file}: ${reason}`);
  });
});

describe('images of digits', () => {
  const images = idx([2, 1, 2], [0, 255, 51, 102]);
  beforeEach(() => {
    save('train-images-idx3-ubyte', images);
    save('train-labels-idx1-ubyte', idx([2], [3, 9]));
    save('t10k-images-idx3-ubyte.gz', gzipSync(idx([1, 1, 2], [255, 0])));
    save('t10k-labels-idx1-ubyte', idx([1], [0]));
  });

  it('are scaled to [0, 1], or to mean 0 and variance 1 over the training images', () => {
    const unit = readDigitImages(folder, 'unit');
    expect([...unit.train.values]).toEqual([0, 1, Math.fround(0.2), Math.fround(0.4)]);
    expect([...unit.train.labels]).toEqual([3, 9]);
    expect(unit.test.features).toBe(2);
    const { train, test } = readDigitImages(folder, 'standardised');
    const mean = train.values.reduce((sum, value) => sum + value, 0) / 4;
    const square = train.values.reduce((sum, value) => sum + value * value, 0) / 4;
    expect(mean).toBeCloseTo(0, 6);
    expect(square).toBeCloseTo(1, 6);
    expect(test.values[0]).toBe(train.values[1]);
  });

  it('that do not belong together are refused', () => {
    save('train-labels-idx1-ubyte', idx([3], [1, 2, 3]));
    expect(() => readDigitImages(folder, 'unit')).toThrow('has 3 labels for 2 images');
    save('train-labels-idx1-ubyte', idx([2], [1, 10]));
    expect(() => readDigitImages(folder, 'unit')).toThrow('label 1 is 10, not a digit');
    save('t10k-images-idx3-ubyte', idx([1, 2, 1], [1, 2]));
    save('train-labels-idx1-ubyte', idx([2], [1, 1]));
    expect(() => readDigitImages(folder, 'unit')).toThrow('training and test images differ in size');
    rmSync(join(folder, 'train-images-idx3-ubyte'));
    expect(() => readDigitImages(folder, 'unit')).toThrow('train-images-idx3-ubyte: cannot be read');
  });
});
