/**
 * The text of an engine, from which workers are made. A page that is opened as a file may neither fetch its
 * neighbours nor start a worker from them, but it may run them as scripts: so an engine is a script that
 * hands over its own text.
 */
export type EngineName = 'account' | 'mechanisms' | 'compose' | 'budgets' | 'literature' | 'plan' | 'shuffle';

declare global {
  /** Filled by the scripts in engines/: the text of each, by its name. */
  var shuffleDpEngines: Record<string, string> | undefined;
}

const addresses = new Map<EngineName, Promise<string>>();

/** The address of a worker's script. */
export function engineAddress(name: EngineName): Promise<string> {
  const known = addresses.get(name);
  if (known !== undefined) return known;
  const address = loaded(name).then((text) =>
    URL.createObjectURL(new Blob([text], { type: 'text/javascript' })),
  );
  addresses.set(name, address);
  // What did not load is asked for again the next time.
  address.catch(() => addresses.delete(name));
  return address;
}

function loaded(name: EngineName): Promise<string> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `engines/${name}.js`;
    script.addEventListener('load', () => {
      const text = globalThis.shuffleDpEngines?.[name];
      if (text === undefined) reject(new Error(`engines/${name}.js holds no engine`));
      else resolve(text);
    });
    script.addEventListener('error', () => reject(new Error(`engines/${name}.js is missing`)));
    document.head.append(script);
  });
}
