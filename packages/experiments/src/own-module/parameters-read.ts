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
  // A copy asks for each property's descriptor and then, at once, for its value.
  let copying: string | symbol | undefined;
  return new Proxy(
    { ...parameters },
    {
      get(target, property, receiver) {
        if (typeof property === 'string') (copying === property ? copied : named).add(property);
        copying = undefined;
        return Reflect.get(target, property, receiver) as unknown;
      },
      has(target, property) {
        if (typeof property === 'string') named.add(property);
        return Reflect.has(target, property);
      },
      getOwnPropertyDescriptor(target, property) {
        copying = property;
        return Reflect.getOwnPropertyDescriptor(target, property);
      },
    },
  );
}
