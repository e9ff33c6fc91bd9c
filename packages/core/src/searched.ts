/**
 * What long searches found while a protocol was made. Whoever makes the same protocol again, in another
 * thread or in a later run of the same code, can be told, and searches for nothing.
 */

/** Plain data, by what was searched for and in which order. */
export type SearchResults = Readonly<Record<string, unknown>>;

interface Scope {
  readonly known: SearchResults;
  readonly found: Record<string, unknown>;
  count: number;
}

let scope: Scope | null = null;

/**
 * What `search` finds, unless that is known where it is called. Searches inside it are a part of it.
 *
 * @param name of what is searched for, and what says the most of what it depends on
 * @param search a pure function whose result is plain data
 * @example searched('six times seven', () => 6 * 7) // 42
 */
export function searched<Result>(name: string, search: () => Result): Result {
  const outer = scope;
  if (outer === null) return search();
  // The order tells apart what names do not: what is made is made the same way each time.
  const key = `${outer.count++} ${name}`;
  if (!Object.hasOwn(outer.known, key)) {
    scope = null;
    try {
      outer.found[key] = search();
    } finally {
      scope = outer;
    }
  } else outer.found[key] = outer.known[key];
  return outer.found[key] as Result;
}

/**
 * What `make` makes at once, and all that it searched for.
 *
 * @param known what the same function of the same code found before, or nothing
 * @example withSearches({}, () => searched('six times seven', () => 6 * 7)).made // 42
 */
export function withSearches<Made>(
  known: SearchResults,
  make: () => Made,
): { readonly made: Made; readonly found: SearchResults } {
  const outer = scope;
  const own: Scope = { known, found: {}, count: 0 };
  scope = own;
  try {
    return { made: make(), found: own.found };
  } finally {
    scope = outer;
  }
}
