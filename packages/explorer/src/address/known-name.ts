/** A name in a field of an address, which may be none of those that exist. */
export interface KnownName<Name extends string> {
  readonly name: Name;
  /** What was asked for, where `name` stands in its place. */
  readonly unknown: string | null;
}

export function knownName<Name extends string>(
  names: Readonly<Record<Name, unknown>>,
  asked: string | undefined,
  otherwise: NoInfer<Name>,
): KnownName<Name> {
  if (asked === undefined) return { name: otherwise, unknown: null };
  // An object has names of its own methods, too.
  return Object.hasOwn(names, asked)
    ? { name: asked as Name, unknown: null }
    : { name: otherwise, unknown: asked };
}
