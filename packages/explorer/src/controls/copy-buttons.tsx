/**
 * What can be taken along: each button copies a text, and shows it to those whose browser does not let it.
 */
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { addressText } from '../address/address.ts';
import { address } from '../address/current-address.ts';

export interface Copyable {
  readonly label: string;
  /** Some are loaded first. */
  readonly text: () => string | Promise<string>;
  /** Why there is no text yet. */
  readonly lack?: string | undefined;
}

export function CopyButtons({ of }: { readonly of: readonly Copyable[] }): JSX.Element {
  const [shown, setShown] = useState<{
    readonly label: string;
    readonly text: string;
    readonly note: string;
    readonly of: string;
  } | null>(null);
  const id = useId();
  const present = addressText(address.value);
  // What was copied of another state would stand there as if it were of this one.
  const open = shown?.of === present ? shown : null;
  const copy = async ({ label, text, lack }: Copyable): Promise<void> => {
    if (lack !== undefined) return;
    const copied = await text();
    const note = (await isCopied(copied)) ? 'Copied.' : 'Select and copy:';
    setShown({ label, text: copied, note, of: present });
  };
  return (
    <div class="copies">
      <div class="buttons">
        {of.map((copyable, i) => (
          <button
            key={copyable.label}
            type="button"
            aria-expanded={open?.label === copyable.label}
            aria-disabled={copyable.lack !== undefined}
            aria-describedby={copyable.lack === undefined ? undefined : `${id}-${i}`}
            title={copyable.lack}
            onClick={() => void copy(copyable)}
          >
            {copyable.label}
          </button>
        ))}
      </div>
      {of.map(
        ({ lack }, i) =>
          lack !== undefined && (
            <span key={i} id={`${id}-${i}`} class="visually-hidden">
              {lack}
            </span>
          ),
      )}
      <div aria-live="polite">
        {open !== null && (
          <div class="copied">
            <p>
              {open.note}
              <button type="button" class="plain" onClick={() => setShown(null)}>
                Close
              </button>
            </p>
            {/* Long lines are scrolled, also by keyboard. */}
            <pre tabIndex={0}>{open.text}</pre>
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
