/**
 * What a user may get wrong, as data: each ends in one line that says where, exit code 2, within 5 seconds
 * and 1 GB.
 */

export interface BadInput {
  readonly args: readonly string[];
  /** Files of the folder that the command is given in. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** A part of the line: the place of the fault. */
  readonly says: string;
}

/** A text with one part in place of another. */
export function edited(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`the text has no ${JSON.stringify(from)}`);
  return text.replace(from, () => to);
}

/** A config with one fault: what is replaced, what by, and a part of the line. */
export type Fault = readonly [from: string, to: string, says: string];

/** A run of each faulty config. */
export function faultyConfigs(
  command: readonly string[],
  config: string,
  faults: readonly Fault[],
): BadInput[] {
  return faults.map(([from, to, says]) => ({
    args: [...command, 'c.yaml'],
    files: { 'c.yaml': edited(config, from, to) },
    says,
  }));
}

/** Words of a command line with a fault, and a part of the line. */
export type FaultyWords = readonly [words: string, says: string];

export function faultyWords(command: string, faults: readonly FaultyWords[]): BadInput[] {
  return faults.map(([words, says]) => ({ args: split(`${command} ${words}`), says }));
}

/** At spaces outside quotes; '' is an empty word. */
function split(words: string): string[] {
  return [...words.trim().matchAll(/'([^']*)'|(\S+)/gu)].map(([, quoted, bare]) => quoted ?? bare!);
}

/** '1,2,3' */
export function numbers(count: number): string {
  return Array.from({ length: count }, (_, i) => i + 1).join(',');
}
