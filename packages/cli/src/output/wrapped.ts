/** Text in lines that a terminal shows whole. */
import { terminalWidth } from './terminal-width.ts';

const COLUMNS = 80;

/**
 * Broken at spaces at 80 columns; lines after the first are indented by two more. A word that is longer stays
 * whole.
 */
export function wrapped(text: string, indent = ''): string {
  const [first, ...others] = wrappedLines(text, COLUMNS - indent.length, indent === '' ? 0 : 2);
  const hang = indent === '' ? '' : `${indent}  `;
  return [`${indent}${first ?? ''}`, ...others.map((line) => `${hang}${line}`)].join('\n');
}

/** A quoted word of a command, to its end: an apostrophe behind a letter is none that opens one. */
const QUOTED = /(?<=shuffle-dp .*)(?<![\p{L}\p{N}])'[^']*'(?:\\''[^']*')*/gu;
/** Stands for a space within a word: no text that is printed holds it. */
const HELD = '\0';

/**
 * Lines of at most `width` characters, those after the first of `less` fewer, broken at spaces, but not at
 * those of a command's quoted words.
 */
export function wrappedLines(text: string, width: number, less = 0): string[] {
  if (text.length <= width) return [text];
  const lines: string[] = [];
  let line: string | null = null;
  const held = text.replaceAll(QUOTED, (quoted) => quoted.replaceAll(' ', HELD));
  for (const word of held.split(' ')) {
    const room = lines.length === 0 ? width : width - less;
    if (line !== null && line.length + 1 + word.length > room) {
      lines.push(line.trimEnd());
      line = word;
    } else line = line === null ? word : `${line} ${word}`;
  }
  return [...lines, line ?? ''].map((broken) => broken.replaceAll(HELD, ' '));
}

/**
 * Every line that is wider than the terminal is broken, and goes on below its text. A command can still be
 * copied.
 */
export function fitted(text: string, width = terminalWidth()): string {
  return text
    .split('\n')
    .map((line) => (line.length <= width ? line : brokenLine(line, width)))
    .join('\n');
}

function brokenLine(line: string, width: number): string {
  const isCommand = /^\s*(?:\$ )?shuffle-dp /u.test(line);
  // A mark or a heading stands before its text: '  paper:    ', '! ', '- '.
  const [before] = /^\s*(?:[!+✓✗-]\s+|[a-z]+:\s{2,})?/u.exec(line)!;
  const hang = ' '.repeat(before.length + (isCommand ? 2 : 0));
  const end = isCommand ? ' \\' : '';
  const lines = wrappedLines(line.slice(before.length), width - hang.length - end.length);
  return lines.map((part, i) => `${i === 0 ? before : hang}${part}`).join(`${end}\n`);
}
