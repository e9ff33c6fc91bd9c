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

/** The first wanted line that `printed` lacks after those before it; undefined if all are there. */
export function missingLine(output: readonly string[], printed: string): string | undefined {
  const lines = printed.split('\n');
  let from = 0;
  for (const line of output) {
    if (line === '…') continue;
    const start = line.endsWith('…') ? line.slice(0, -1).trimEnd() : null;
    const at = lines.findIndex(
      (candidate, i) =>
        i >= from && (start === null ? candidate.trimEnd() === line : candidate.startsWith(start)),
    );
    if (at < 0) return line;
    from = at + 1;
  }
  return undefined;
}
