/** Builds the program, runs it, and turns every end into an exit code. */
import { readFileSync } from 'node:fs';
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
import { nearestName } from '../config/nearest-name.ts';
import { withoutControls } from '../config/control-characters.ts';
import { describeFailure, EXIT_FAILED, EXIT_USAGE, exitCodeOf, UsageError } from './exit.ts';

/** A program whose commands import what they need when they are run, so that help is quick. */
export function buildProgram(): Command {
  const program = new Command('shuffle-dp')
    .description('A laboratory for the shuffle model of differential privacy.')
    .version(packageVersion())
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
  program.helpCommand(false).addCommand(helpCommand(program));
  const settle = (command: Command): void => {
    command.exitOverride().configureOutput({ outputError: (text, write) => write(oneLine(text)) });
    command.showSuggestionAfterError();
    for (const inner of command.commands) settle(inner);
  };
  settle(program);
  return program;
}

/** The version of this package, from its package.json: two folders up from here, in the source and when built. */
function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** As commander's own, which takes a command that it does not know for none. */
function helpCommand(program: Command): Command {
  return new Command('help')
    .description('Help for a command.')
    .argument('[command]', 'its name')
    .action((name?: string) => {
      if (name === undefined) return program.outputHelp();
      const command = program.commands.find((known) => known.name() === name);
      if (command) return command.outputHelp();
      const names = program.commands.map((known) => known.name());
      const near = nearestName(name, names);
      throw new UsageError(
        `help ${JSON.stringify(name)}: must be one of ${names.join(', ')}${near ? `; did you mean ${near}?` : ''}`,
      );
    });
}

/** "error: unknown option '--epsilom'\n(Did you mean --epsilon?)" on one line. */
function oneLine(text: string): string {
  return `${withoutControls(text.trim().replaceAll(/\s*\n\s*/gu, ' '))}\n`;
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
  process.exitCode = await runProgram(argv);
}

/** @param argv as of a process: what is asked for comes third @returns the exit code */
export async function runProgram(argv: readonly string[]): Promise<number> {
  const program = buildProgram();
  if (argv.length <= 2) {
    program.outputHelp({ error: true });
    return EXIT_USAGE;
  }
  try {
    await program.parseAsync([...argv]);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    process.stderr.write(`${describeFailure(error)}\n`);
    return exitCodeOf(error);
  }
}

/** A launcher that is killed outright cannot pass its signal on: the closed channel tells. */
function endWithParent(): void {
  if (process.channel === undefined) return;
  process.on('disconnect', () => process.exit(1));
  process.channel.unref();
}
