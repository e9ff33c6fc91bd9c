/** Which parameters a module reads: an option that nothing reads is misspelt. */

export interface ParameterReads {
  /** Asked for by name, given or not. */
  readonly named: Set<string>;
  /** Copied with all others, as by `{ ...parameters }`: whether anything reads the copy cannot be seen. */
  readonly copied: Set<string>;
}

/** The parameters, noting in `reads` what is read of them. */
export function recordedParameters(
  parameters: Readonly<Record<string, number>>,
  { named, copied }: ParameterReads,
): Readonly<Record<string, number>> {
  // A copy lists the properties, and asks for each one's descriptor and then, at once, for its value; a list
  // of their names asks for the descriptors alone.
  let toCopy = 0;
  let described: string | symbol | undefined;
  return new Proxy(
    { ...parameters },
    {
      get(target, property, receiver) {
        const isCopied = described === property;
        toCopy = isCopied ? toCopy - 1 : 0;
        described = undefined;
        if (typeof property === 'string') (isCopied ? copied : named).add(property);
        return Reflect.get(target, property, receiver) as unknown;
      },
      has(target, property) {
        if (typeof property === 'string') named.add(property);
        return Reflect.has(target, property);
      },
      ownKeys(target) {
        const keys = Reflect.ownKeys(target);
        toCopy = keys.length;
        described = undefined;
        return keys;
      },
      getOwnPropertyDescriptor(target, property) {
        if (described !== undefined) toCopy = 0;
        described = toCopy > 0 ? property : undefined;
        return Reflect.getOwnPropertyDescriptor(target, property);
      },
    },
  );
}
