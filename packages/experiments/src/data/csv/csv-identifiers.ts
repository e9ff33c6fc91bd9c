/**
 * A column of words of a CSV file, each an identifier of some bits: a whole number, the letters themselves,
 * or a hash of them.
 */
import { createHash } from 'node:crypto';
import { DataFileError, type DataFile } from '../data-file.ts';
import { readColumn } from './csv-column.ts';
import type { ReadingPolicy, ReadUsers } from './reading-policy.ts';

export interface IdentifierColumn extends ReadUsers {
  readonly bits: number;
  /** Different ones, in the order in which the file first has them. */
  readonly identifiers: Float64Array;
  /** The words they stand for. */
  readonly names: readonly string[];
  /** User by user, which of the identifiers. */
  readonly codes: Uint32Array;
}

/**
 * Whole numbers below 2^bits stand for themselves where all words are such; else words of at most bits / 8
 * bytes (UTF-8) for their letters; else all for the first bits of their SHA-256.
 * @param column a name (the first line is a header), or a number from 0
 * @throws DataFileError with the line; for two words with one hash
 */
export function parseIdentifiers(
  data: DataFile,
  column: string | number,
  bits: number,
  policy: ReadingPolicy = {},
): IdentifierColumn {
  const { file } = data;
  const { rows, index, where, skipped, notices } = readColumn(data, column, policy);
  const codeOf = new Map<string, number>();
  const codes = Uint32Array.from(rows, ({ cells }) => {
    const word = cells[index]!;
    const code = codeOf.get(word) ?? codeOf.size;
    codeOf.set(word, code);
    return code;
  });
  const names = [...codeOf.keys()];
  const { identifierOf, said } = encoding(names, bits);
  const identifiers = Float64Array.from(names, identifierOf);
  const first = new Map<number, string>();
  identifiers.forEach((identifier, i) => {
    const other = first.get(identifier);
    if (other !== undefined)
      throw new DataFileError(
        file,
        `${JSON.stringify(other)} and ${JSON.stringify(names[i])} in ${where} are one identifier of ${bits} bits: more bits tell them apart`,
      );
    first.set(identifier, names[i]!);
  });
  return { bits, identifiers, names, codes, notices: [...notices, `${file}: ${where}: ${said}`], skipped };
}

function encoding(
  words: readonly string[],
  bits: number,
): { readonly identifierOf: (word: string) => number; readonly said: string } {
  if (words.every((word) => /^(0|[1-9]\d{0,15})$/u.test(word) && Number(word) < 2 ** bits))
    return { identifierOf: Number, said: `numbers of ${bits} bits stand for themselves` };
  const bytes = Math.floor(bits / 8);
  // Padded with zeros, which no word of a file has.
  if (words.every((word) => Buffer.byteLength(word) <= bytes))
    return {
      identifierOf: (word) =>
        firstBits(Buffer.concat([Buffer.from(word), Buffer.alloc(6)]).subarray(0, bytes)) * 2 ** (bits % 8),
      said: `words of at most ${bytes} bytes are identifiers of ${bits} bits by their letters`,
    };
  return {
    identifierOf: (word) =>
      Math.floor(
        firstBits(createHash('sha256').update(word, 'utf8').digest().subarray(0, 6)) / 2 ** (48 - bits),
      ),
    said: `words are identifiers by the first ${bits} bits of their SHA-256; what is found is named by the words of the file`,
  };
}

/** Up to six bytes, the first most significant. */
function firstBits(bytes: Buffer): number {
  return bytes.length === 0 ? 0 : bytes.readUIntBE(0, bytes.length);
}
