/** Builds the program, runs it, and turns every end into an exit code. */
import { Command, CommanderError } from 'commander';
import { accountCommand } from './commands/account.ts';
import { claimsCommand } from './commands/claims.ts';
import { compareCommand } from './commands/compare.ts';
import { composeCommand } from './commands/compose.ts';
import { datasetsCommand } from './commands/datasets.ts';
import { figuresCommand } from './commands/figures.ts';
import { forestCommand } from './commands/forest.ts';
import { learnCommand } from './commands/learn.ts';
import { mechanismsCommand } from './commands/mechanisms.ts';
import { mergeCommand } from './commands/merge.ts';
import { personalizedCommand } from './commands/personalized.ts';
import { runCommand } from './commands/run.ts';
import { schemaCommand } from './commands/schema.ts';
import { describeFailure, EXIT_FAILED, EXIT_USAGE, exitCodeOf } from './exit.ts';

/** A program whose commands import what they need when they are run, so that help is quick. */
export function buildProgram(): Command {
  const program = new Command('shuffle-dp')
    .description('A laboratory for the shuffle model of differential privacy.')
    .version('0.1.0')
    .showSuggestionAfterError()
    .showHelpAfterError(false)
    .addHelpText(
      'after',
      `
Examples:
  shuffle-dp run configs/quick.yaml
  shuffle-dp compare configs/msnbc-s1.yaml --resume
  shuffle-dp account grr --epsilon0 1 --domain 16 --users 10000 --delta 1e-6

Exit codes: 0 success, 1 a run failed, 2 bad usage or a bad config.`,
    );
  for (const command of [
    runCommand(),
    mergeCommand(),
    compareCommand(),
    accountCommand(),
    composeCommand(),
    personalizedCommand(),
    learnCommand(),
    forestCommand(),
    figuresCommand(),
    claimsCommand(),
    mechanismsCommand(),
    datasetsCommand(),
    schemaCommand(),
  ]) {
    program.addCommand(command);
  }
  const settle = (command: Command): void => {
    command.exitOverride().configureOutput({ outputError: (text, write) => write(oneLine(text)) });
    command.showSuggestionAfterError();
    for (const inner of command.commands) settle(inner);
  };
  settle(program);
  return program;
}

/** "error: unknown option '--epsilom'\n(Did you mean --epsilon?)" on one line. */
function oneLine(text: string): string {
  return `${text.trim().replaceAll(/\s*\n\s*/gu, ' ')}\n`;
}

export async function main(argv: readonly string[]): Promise<void> {
  // A reader that closes its end, as `head` does, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(
      `the output cannot be written: ${error.code === 'ENOSPC' ? 'no space is left on the device' : error.message}\n`,
    );
    process.exit(EXIT_FAILED);
  });
  endWithParent();
  const program = buildProgram();
  if (argv.length <= 2) {
    program.outputHelp({ error: true });
    process.exitCode = EXIT_USAGE;
    return;
  }
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE;
      return;
    }
    process.stderr.write(`${describeFailure(error)}\n`);
    process.exitCode = exitCodeOf(error);
  }
}

/** A launcher that is killed outright cannot pass its signal on: the closed channel tells. */
function endWithParent(): void {
  if (process.channel === undefined) return;
  process.on('disconnect', () => process.exit(1));
  process.channel.unref();
}
