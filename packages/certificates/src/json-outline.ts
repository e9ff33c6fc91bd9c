/** What a reader of JSON does not tell: whether a text is too deep, or an object has a name twice. */

/** Lists and objects within each other; those of a certificate are seven. */
const MOST_DEEP = 16;

/**
 * Why its lists and objects are none of a certificate; null where they may be. Brackets within strings are
 * none. Of two fields of one name JSON keeps the last, and other readers may take the first.
 *
 * @throws SyntaxError at some of what is no JSON; the rest is for JSON.parse to refuse, which takes a minute
 * for what is millions deep
 */
export function outlineFault(text: string): string | null {
  /** Names of each that is open; a list has none. */
  const open: Set<string>[] = [];
  for (let i = 0; i < text.length; i++) {
    const mark = text[i]!;
    if (mark === '[' || mark === '{') {
      if (open.length === MOST_DEEP) return 'its lists and objects are too deep';
      open.push(new Set());
    } else if (mark === ']' || mark === '}') open.pop();
    if (mark !== '"') continue;
    const end = endOfString(text, i);
    if (isName(text, end)) {
      // With escapes undone: two ways to write a name are one name.
      const name = JSON.parse(text.slice(i, end)) as string;
      if (open.at(-1)?.has(name)) return 'a name stands twice in one object';
      open.at(-1)?.add(name);
    }
    i = end - 1;
  }
  return null;
}

/** Behind the quotation mark that closes the string, or behind the text. */
function endOfString(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1;
  return i + 1;
}

/** What a colon follows, with blanks between, is a name. */
function isName(text: string, end: number): boolean {
  let i = end;
  while (/\s/u.test(text[i]!)) i++;
  return text[i] === ':';
}
