/** The numbers that a page asks for, as the address has them. */

export interface WrittenField {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly text: string;
}

/** What makes the fields of a page; `otherwise` is written where the address has nothing. */
export function fieldMaker(fields: Readonly<Record<string, string>>) {
  return (name: string, label: string, hint: string, otherwise: string): WrittenField => ({
    name,
    label,
    hint,
    text: fields[name] ?? otherwise,
  });
}
