/**
 * Characters that are no part of a text but move it about: line ends, terminal escapes, bidirectional
 * controls, halves of characters. They break lines, tables and XML.
 */
const CONTROL = /[\p{Cc}\p{Cs}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF\uFFFE\uFFFF]/u;
const ALL_CONTROLS = new RegExp(CONTROL, 'gu');

/** Whether the text holds characters that would move a terminal's cursor or change its colours. */
export function hasControls(text: string): boolean {
  return CONTROL.test(text);
}

/** Each of them as its number, '\u001b', so that the rest can be printed. */
export function withoutControls(text: string): string {
  return text.replaceAll(
    ALL_CONTROLS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
