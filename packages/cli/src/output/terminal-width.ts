/** The usual width, and the least that is written for. */
const USUAL = 80;

/**
 * Columns of what shows the program's text: COLUMNS, else the terminal that stdout is, else the usual 80;
 * never less.
 */
export function terminalWidth(): number {
  return knownWidth(process.stdout) ?? USUAL;
}

/** Undefined where neither COLUMNS nor a terminal says it. */
export function knownWidth(stream: { readonly columns?: number }): number | undefined {
  const told = Number(process.env['COLUMNS']);
  const columns = Number.isInteger(told) && told > 0 ? told : stream.columns;
  return columns === undefined || columns === 0 ? undefined : Math.max(USUAL, columns);
}
