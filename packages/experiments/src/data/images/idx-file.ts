/**
 * The IDX format of MNIST: two zero bytes, the type of the numbers, the number of dimensions, their sizes,
 * the numbers.
 */
import { DataFileError, readDataFile } from '../data-file.ts';

export interface IdxFile {
  readonly sizes: readonly number[];
  /** Last dimension fastest. */
  readonly values: Uint8Array;
}

const UNSIGNED_BYTES = 8;

/** Reads a file of unsigned bytes, plain or gzipped. @throws DataFileError that says what is wrong with it */
export function readIdxFile(path: string, dimensions: number): IdxFile {
  const { bytes } = readDataFile(path);
  const start = 4 + 4 * dimensions;
  if (bytes.length < 4 || bytes[0] !== 0 || bytes[1] !== 0)
    throw new DataFileError(path, 'is not an IDX file');
  if (bytes[2] !== UNSIGNED_BYTES) {
    throw new DataFileError(
      path,
      `holds numbers of IDX type ${bytes[2]}; only unsigned bytes, type 8, are read`,
    );
  }
  if (bytes[3] !== dimensions) throw new DataFileError(path, `has ${bytes[3]} dimensions, not ${dimensions}`);
  if (bytes.length < start) throw new DataFileError(path, 'ends inside its header');
  const sizes = Array.from({ length: dimensions }, (_, i) => bytes.readUInt32BE(4 + 4 * i));
  const announced = sizes.reduce((product, size) => product * size, 1);
  if (bytes.length - start !== announced) {
    throw new DataFileError(
      path,
      `has ${bytes.length - start} numbers after its header, which announces ${sizes.join(' x ')}`,
    );
  }
  return { sizes, values: bytes.subarray(start) };
}
