/** What goes to stdout. */

/** One JSON document; numbers that JSON lacks become null, as in the rest of the world. */
export function printJson(document: unknown): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

export function printText(text: string): void {
  process.stdout.write(`${text}\n`);
}
