/** Text in lines of a terminal's usual width. */

const COLUMNS = 80;

/** Broken at spaces; lines after the first are indented by two more. A word that is longer stays whole. */
export function wrapped(text: string, indent = ''): string {
  const lines: string[] = [];
  let line = indent;
  let empty = true;
  for (const word of text.split(' ')) {
    if (!empty && line.length + 1 + word.length > COLUMNS) {
      lines.push(line);
      line = indent === '' ? word : `${indent}  ${word}`;
      continue;
    }
    line += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...lines, line].join('\n');
}
