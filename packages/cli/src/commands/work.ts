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

Passwords need not be in the URL: REDISCLI_AUTH and PGPASSWORD are read. Keep the server private: anybody who can
write to it can make workers compute and read data files. Workers and runs must have the same version of the program.
Ctrl-C ends a worker after its current tasks. A second Ctrl-C ends it at once, and other workers do these tasks again.`;

export function workCommand(): Command {
  return new Command('work')
    .addOption(
      queueOption(
        'queue that the tasks come from: redis://…, rediss://… or postgres://…',
      ).makeOptionMandatory(),
    )
    .option('--workers <n>', 'worker threads (default: one per core)', integerOption(1, 1024))
    .option('--idle <seconds>', 'end after this time without a task (default: never)', integerOption(1, 1e6))
    .option(
      '--lock <seconds>',
      'give the tasks of this worker to others after this time without a sign of it',
      integerOption(2, 3600),
      10,
    )
    .option('--json', 'one JSON document on stdout, when it ends')
    .option('--quiet', 'no lines about its work')
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
