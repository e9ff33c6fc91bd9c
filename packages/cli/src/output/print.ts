/** What goes to stdout and stderr. */
import { knownWidth } from './terminal-width.ts';
import { fitted } from './wrapped.ts';

/** One JSON document; numbers that JSON lacks become null, as in the rest of the world. */
export function printJson(document: unknown): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

/** In lines that the terminal shows whole. */
export function printText(text: string): void {
  process.stdout.write(`${fitted(text)}\n`);
}

/** A message on stderr: in lines that the terminal shows whole, and one line for programs that read it. */
export function printNote(text: string): void {
  const width = knownWidth(process.stderr);
  process.stderr.write(`${width === undefined ? text : fitted(text, width)}\n`);
}
