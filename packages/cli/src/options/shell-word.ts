/** As a shell takes it for one word. */
export function shellWord(word: string): string {
  return /^[\w.=/-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A file as a shell and the program take it: one word, which is no flag. */
export function fileWord(file: string): string {
  return shellWord(file.startsWith('-') ? `./${file}` : file);
}
