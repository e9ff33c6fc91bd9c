/** Figures and claims by what the command line says: ids, or prefixes such as vr. */

/**
 * Entries whose id is, or starts with, one of the given words: 'vr', 'vr.table5'. All for none; null for a
 * word that names none.
 */
export function selectById<Entry extends { readonly id: string }>(
  entries: readonly Entry[],
  words: readonly string[],
): { readonly selected: readonly Entry[]; readonly unknown: string | null } {
  if (words.length === 0) return { selected: entries, unknown: null };
  const names = (word: string, id: string): boolean => id === word || id.startsWith(`${word}.`);
  const unknown = words.find((word) => !entries.some(({ id }) => names(word, id))) ?? null;
  return { selected: entries.filter(({ id }) => words.some((word) => names(word, id))), unknown };
}
