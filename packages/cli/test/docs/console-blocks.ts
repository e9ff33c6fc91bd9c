/** The ```console blocks of a page: a command after '$ ', and what it prints. */

export interface ConsoleBlock {
  /** As it stands, 'shuffle-dp …' or any other command of a shell. */
  readonly command: string;
  /** Lines that the output must have, in this order; '…' stands for any lines, or the rest of one. */
  readonly output: readonly string[];
  /** The page says in a comment before the block that it takes long. */
  readonly long: boolean;
}

export function consoleBlocks(page: string): ConsoleBlock[] {
  return [...page.matchAll(/(<!--[^>]*test:long[^>]*-->\s*)?```console\n\$ ([^\n]+)\n([^`]*)```/gu)].map(
    ([, long, command, output]) => ({
      command: command!,
      output: output!.trimEnd().split('\n'),
      long: long !== undefined,
    }),
  );
}

/**
 * The first wanted line that `printed` lacks: lines follow each other from the first on, but for those that
 * an ellipsis stands for. Undefined if all are there.
 */
export function missingLine(output: readonly string[], printed: string): string | undefined {
  const lines = printed.split('\n');
  let [from, isNext] = [0, true];
  for (const line of output) {
    if (line === '…') {
      isNext = false;
      continue;
    }
    const start = line.endsWith('…') ? line.slice(0, -1).trimEnd() : null;
    const isIt = (candidate: string): boolean =>
      start === null ? candidate.trimEnd() === line : candidate.startsWith(start);
    const at = isNext ? from : lines.findIndex((candidate, i) => i >= from && isIt(candidate));
    if (at < 0 || !isIt(lines[at] ?? '')) return line;
    [from, isNext] = [at + 1, true];
  }
  return undefined;
}
