import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { LIMITS } from '@shuffle-dp/experiments/config';
import { integerOption, type OutputOptions } from '../options/options.ts';
import { queueOption, queuePackage } from '../options/queue-option.ts';
import { printJson } from '../output/print.ts';
import { whileInterruptible } from '../progress/interruption.ts';
import { noticeUnless } from '../run-config.ts';

interface WorkCommandOptions extends OutputOptions {
  readonly queue: string;
  readonly workers?: number;
  readonly idle?: number;
  readonly lock: number;
}

const HELP = `
Examples:
  shuffle-dp work --queue redis://127.0.0.1:6379
  shuffle-dp work --queue rediss://lab@queue.example.org:6380/0 --workers 8
  shuffle-dp work --queue postgres://lab@db.example.org/lab --idle 600
  shuffle-dp run configs/msnbc-s1.yaml --queue redis://127.0.0.1:6379

Passwords need not stand in the URL: REDISCLI_AUTH and PGPASSWORD are read. Whoever may write to the server can
have workers compute and read data files: keep it private. Workers and runs must be of one version of the program.
Ctrl-C ends a worker after the tasks it is at; a second one ends it at once, and others do them again.`;

export function workCommand(): Command {
  return new Command('work')
    .addOption(
      queueOption('where tasks come from: redis://…, rediss://… or postgres://…').makeOptionMandatory(),
    )
    .option('--workers <n>', 'worker threads (default: one per core)', integerOption(1, 1024))
    .option('--idle <seconds>', 'end after so long without a task (default: never)', integerOption(1, 1e6))
    .option(
      '--lock <seconds>',
      'after so long without a sign of this worker its tasks go to others',
      integerOption(2, 3600),
      10,
    )
    .option('--json', 'one JSON document on stdout, when it ends')
    .option('--quiet', 'no lines about what it does')
    .addHelpText('after', HELP)
    .action(async ({ queue, workers, idle, lock, json, quiet }: WorkCommandOptions) => {
      const { work } = await queuePackage();
      const most = LIMITS.threadsPerCore.most * availableParallelism();
      const ending = new AbortController();
      const tasks = await whileInterruptible(
        () => ending.abort(),
        () =>
          work(queue, {
            threads: Math.min(workers ?? availableParallelism(), most),
            signal: ending.signal,
            onNotice: noticeUnless(quiet),
            lockMs: 1000 * lock,
            ...(idle === undefined ? {} : { idleMs: 1000 * idle }),
          }),
      );
      if (json) printJson({ tasks });
    });
}
