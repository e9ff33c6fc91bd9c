/** A name in a field of an address, which may be none of those that exist. */
export interface KnownName<Name extends string> {
  readonly name: Name;
  /** What was asked for, where `name` stands in its place. */
  readonly unknown: string | null;
}

export function knownName<Name extends string>(
  names: readonly Name[],
  asked: string | undefined,
  otherwise: NoInfer<Name>,
): KnownName<Name> {
  if (asked === undefined) return { name: otherwise, unknown: null };
  const name = names.find((known) => known === asked);
  return name === undefined ? { name: otherwise, unknown: asked } : { name, unknown: null };
}
