/**
 * Values of a file as numbers from 0: numbers that are small enough stand for themselves, all others for
 * their rank.
 */
import { DataFileError } from '../data-file.ts';

export interface Coded {
  readonly domain: number;
  readonly codes: readonly number[];
  /** What the codes stand for; null where they stand for themselves. */
  readonly labels: readonly string[] | null;
}

export interface ValueLimits {
  readonly domain: number | undefined;
  /** The most values there may be. */
  readonly largest: number;
  /** Whether some values are missing, for which the config's domain has one category more. */
  readonly lacking?: boolean;
}

/**
 * Whole numbers below `largest` stand for themselves. Where one is larger and no domain is given, all are
 * names and are numbered by their size; other names are numbered in the order of their characters.
 *
 * @param lineOf where a word stands
 * @throws DataFileError with the line
 */
export function codeValues(
  file: string,
  words: readonly string[],
  lineOf: (index: number) => number,
  { domain, largest, lacking = false }: ValueLimits,
): Coded {
  const numbers = words.every((word) => WHOLE.test(word));
  if (numbers) {
    const codes = words.map(Number);
    let most = 0;
    for (const code of codes) most = Math.max(most, code);
    if (domain !== undefined || most < largest) {
      const size = domain ?? Math.max(2, most + 1);
      const outside = codes.findIndex((code) => code >= size);
      if (outside >= 0)
        throw new DataFileError(
          file,
          `${words[outside]} is not below ${domainText(size, lacking)}`,
          lineOf(outside),
        );
      return { domain: size, codes, labels: null };
    }
  }
  const names = numbers ? words.map(withoutZeros) : words;
  const known = distinct(file, names, lineOf, { domain, largest, lacking });
  const labels = numbers ? [...known].sort(bySize) : [...known].sort();
  const codeOf = new Map(labels.map((label, code) => [label, code]));
  return {
    domain: domain ?? Math.max(2, labels.length),
    codes: names.map((name) => codeOf.get(name)!),
    labels,
  };
}

function domainText(size: number, lacking: boolean): string {
  return lacking
    ? `${size}: missing values take the last category of the domain, ${size + 1}`
    : `the domain, ${size}`;
}

const WHOLE = /^\d+$/u;

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/u, '');
}

/** Of digits without zeros before them. */
function bySize(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** Every name once. @throws DataFileError with the line of the first one too many */
function distinct(
  file: string,
  words: readonly string[],
  lineOf: (index: number) => number,
  { domain, largest, lacking = false }: ValueLimits,
): Set<string> {
  const known = new Set<string>();
  const most = domain ?? largest;
  words.forEach((word, index) => {
    if (known.add(word).size <= most) return;
    const excess =
      domain === undefined
        ? `is value ${known.size}; at most ${largest} are allowed`
        : `is one name more than ${domainText(domain, lacking)}`;
    throw new DataFileError(file, `${JSON.stringify(word)} ${excess}`, lineOf(index));
  });
  return known;
}
