/** The address as a signal, in step with the browser's. */
import { effect, signal } from '@preact/signals';
import { addressText, parseAddress, type Address } from './address.ts';

export const address = signal<Address>(parseAddress(location.hash));

/** Browsers allow only so many changes of the address in a while; a slider would make more. */
const PAUSE = 200;

let written = location.hash;
let timer: ReturnType<typeof setTimeout> | undefined;

window.addEventListener('hashchange', () => {
  if (location.hash === written) return;
  written = location.hash;
  address.value = parseAddress(location.hash);
});

effect(() => {
  // Of every state: one that waits is no longer the present one.
  void address.value;
  clearTimeout(timer);
  timer = setTimeout(write, PAUSE);
});

function write(): void {
  const text = addressText(address.peek());
  if (text === written || location.hash === '') return;
  written = text;
  history.replaceState(null, '', text);
}

// What waits to be written is so before a link leads elsewhere: going back finds it.
window.addEventListener('click', write, true);

/** Sets fields of the present page; undefined takes one away. */
export function setFields(fields: Readonly<Record<string, string | undefined>>): void {
  const { page, fields: present } = address.value;
  const next = Object.entries({ ...present, ...fields }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  address.value = { page, fields: Object.fromEntries(next) };
  if (location.hash === '') history.replaceState(null, '', addressText(address.value));
}

/** A link to the present state. */
export function presentLink(): string {
  return `${location.href.split('#', 1)[0]}${addressText(address.value)}`;
}
