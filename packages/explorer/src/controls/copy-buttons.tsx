/**
 * What can be taken along: each button copies a text, and shows it to those whose browser does not let it.
 */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

export interface Copyable {
  readonly label: string;
  /** Some are loaded first. */
  readonly text: () => string | Promise<string>;
}

export function CopyButtons({ of }: { readonly of: readonly Copyable[] }): JSX.Element {
  const [shown, setShown] = useState<{
    readonly label: string;
    readonly text: string;
    readonly note: string;
  } | null>(null);
  const copy = async ({ label, text }: Copyable): Promise<void> => {
    const copied = await text();
    setShown({ label, text: copied, note: (await isCopied(copied)) ? 'Copied.' : 'Select and copy:' });
  };
  return (
    <div class="copies">
      <div class="buttons">
        {of.map((copyable) => (
          <button
            key={copyable.label}
            type="button"
            aria-expanded={shown?.label === copyable.label}
            onClick={() => void copy(copyable)}
          >
            {copyable.label}
          </button>
        ))}
      </div>
      <div aria-live="polite">
        {shown !== null && (
          <div class="copied">
            <p>
              {shown.note}
              <button type="button" class="plain" onClick={() => setShown(null)}>
                Close
              </button>
            </p>
            {/* Long lines are scrolled, also by keyboard. */}
            <pre tabIndex={0}>{shown.text}</pre>
          </div>
        )}
      </div>
    </div>
  );
}

/** Not where the browser refuses, and not on a host of plain http, whose pages have no clipboard at all. */
async function isCopied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
