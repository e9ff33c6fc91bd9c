/**
 * `--queue`: tasks go to workers of a queue in place of threads here. The package for it is optional, and
 * loaded when it is asked for.
 */
import { UsageError } from '@shuffle-dp/core';
import { Option, type Command } from 'commander';
import type { Executor } from '@shuffle-dp/experiments/pool';
import type * as queue from '@shuffle-dp/queue';
import { textOption } from './options.ts';

export function queueOption(description: string): Option {
  return new Option('--queue <url>', description).argParser(textOption);
}

export function addQueueOption(command: Command): Command {
  return command.addOption(
    queueOption(
      'queue from which `shuffle-dp work`, on any machines, takes the tasks: redis://…, rediss://… or postgres://…',
    ).conflicts(['workers']),
  );
}

/** @throws UsageError where the package is not installed */
export async function queuePackage(): Promise<typeof queue> {
  try {
    return await import('@shuffle-dp/queue');
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(
      '--queue needs a package that is not installed: `npm install @shuffle-dp/queue` (in a checkout `pnpm install`), and a server: redis-server, valkey-server, or PostgreSQL 13 or later',
    );
  }
}

/**
 * What performs tasks in place of threads here; nothing where no queue is asked for. @throws UsageError,
 * QueueError
 */
export async function executorOf(
  { queue }: { readonly queue?: string | undefined },
  onNotice: (line: string) => void,
): Promise<{ readonly executor?: Executor }> {
  if (queue === undefined) return {};
  const { queueExecutor } = await queuePackage();
  return { executor: await queueExecutor(queue, { onNotice }) };
}
