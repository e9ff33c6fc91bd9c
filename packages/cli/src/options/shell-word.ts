/** As a shell takes it for one word. */
export function shellWord(word: string): string {
  return /^[\w.=/-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
