/** What a run would do, as text and as JSON. */
import type { DryRun } from '@shuffle-dp/experiments/run';
import { counted } from '@shuffle-dp/experiments/words';
import { excludedJson, refusedLines, settingText } from './refused-cells.ts';
import { shortNumber, textTable } from './text-table.ts';

export function dryRunText({ cells, refused, seconds, workers, notices }: DryRun): string {
  const rows = cells.map(
    ({ protocol, users, parameters, trials, messagesPerUser, bitsPerUser, ...cell }, i) => [
      String(i + 1),
      protocol,
      users.toLocaleString('en'),
      settingText(parameters),
      String(trials),
      shortNumber(messagesPerUser, 3),
      shortNumber(bitsPerUser, 3),
      shortNumber(cell.seconds, 2),
    ],
  );
  return [
    textTable(['cell', 'protocol', 'users', 'setting', 'trials', 'messages', 'bits', 'seconds'], rows),
    ...refusedLines(refused),
    ...notices,
    `${counted(cells.length, 'cell')}, about ${shortNumber(seconds, 2)} s on ${counted(workers, 'thread')}: estimated from a few trials of each cell, without start and report. No results were written.`,
  ].join('\n');
}

export function dryRunJson({ cells, refused, seconds, workers }: DryRun): object {
  return {
    cells: cells.map(({ messagesPerUser, bitsPerUser, ...cell }) => ({
      ...cell,
      messages_per_user: messagesPerUser,
      bits_per_user: bitsPerUser,
    })),
    ...(refused.length > 0 && { excluded: refused.map((cell) => excludedJson(cell, cell.why)) }),
    seconds,
    workers,
  };
}
