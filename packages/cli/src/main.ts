/** Builds the program, runs it, and turns every end into an exit code. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { UsageError } from '@shuffle-dp/core';
import { COMMANDS } from './command-list.ts';
import { nearestName, systemReason, withoutControls } from '@shuffle-dp/experiments/words';
import { printNote, printText } from './output/print.ts';
import { describeFailure, EXIT_FAILED, EXIT_USAGE, exitCodeOf } from './exit.ts';

/**
 * The program; of its commands only the one that is asked for is complete, the others are listed.
 *
 * @param args what follows the program's name
 */
export async function buildProgram(args: readonly string[]): Promise<Command> {
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

Exit codes: 0 success, 1 a run failed, 2 bad usage or a bad config, 130 interrupted.`,
    );
  const words = args.filter((word) => !word.startsWith('-'));
  const asked = words[0] === 'help' ? words[1] : words[0];
  for (const [name, { description, load }] of Object.entries(COMMANDS))
    program.addCommand((name === asked ? await load() : new Command(name)).description(description));
  program.helpCommand(false).addCommand(helpCommand(program));
  const settle = (command: Command): void => {
    command.exitOverride().configureOutput({
      writeOut: (text) => printText(unbroken(text.trimEnd())),
      outputError: (text) => printNote(oneLine(text)),
    });
    command.showSuggestionAfterError();
    takeValuesOnce(command);
    for (const inner of command.commands) settle(inner);
  };
  settle(program);
  return program;
}

/** A value that is given twice is a slip, and the first would be lost without a word. */
function takeValuesOnce(command: Command): void {
  for (const option of command.options) {
    const collects = option.parseArg !== undefined && option.parseArg.length > 1;
    if (!option.required || collects) continue;
    let isGiven = false;
    command.on(`option:${option.name()}`, () => {
      if (isGiven) command.error(`error: option '${option.flags}' is given more than once`);
      isGiven = true;
    });
  }
}

/** Sentences of a help text go on as far as the terminal does, wherever the source breaks them. */
function unbroken(text: string): string {
  return text.replaceAll(/(?<=^\S.*)\n(?=\S)/gmu, ' ');
}

/**
 * The version of this package, from its package.json: one folder up from here, in the source and when built.
 */
function packageVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
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
  return withoutControls(text.trim().replaceAll(/\s*\n\s*/gu, ' '));
}

export async function main(argv: readonly string[]): Promise<void> {
  // A reader that closes its end, as `head` does, stops nothing: files are written, and verdicts stand.
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.stderr.write(`the output cannot be written: ${systemReason(error)}\n`);
    process.exit(EXIT_FAILED);
  });
  endWithParent();
  process.exitCode = await runProgram(argv);
  // What still looks for a server that is gone would keep the process for ever.
  if (argv.some((word) => /^--queue(?:=|$)/u.test(word))) setTimeout(() => process.exit(), LEAVE_MS).unref();
}

/** After all that is to be printed was. */
const LEAVE_MS = 2000;

/** @param argv as of a process: what is asked for comes third @returns the exit code */
export async function runProgram(argv: readonly string[]): Promise<number> {
  const program = await buildProgram(argv.slice(2));
  if (argv.length <= 2) {
    program.outputHelp({ error: true });
    return EXIT_USAGE;
  }
  try {
    await program.parseAsync(upToUnknown(program, argv));
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    printNote(describeFailure(error));
    return exitCodeOf(error);
  }
}

/** Of a command that is not there even the help is refused: what follows its name is not read. */
function upToUnknown(program: Command, argv: readonly string[]): string[] {
  let command = program;
  for (const [i, word] of argv.entries()) {
    if (i < 2) continue;
    if (command.commands.length === 0 || /^-|^help$/u.test(word)) break;
    const named = command.commands.find((sub) => sub.name() === word);
    if (named === undefined) return argv.slice(0, i + 1);
    command = named;
  }
  return [...argv];
}

/** A launcher that is killed outright cannot pass its signal on: the closed channel tells. */
function endWithParent(): void {
  if (process.channel === undefined) return;
  process.on('disconnect', () => process.exit(1));
  process.channel.unref();
}
