/** The mechanisms by their cards, for every page that names one. */
import { signal } from '@preact/signals';
import { lane } from '../engine/lane.ts';
import type { Refusal } from '../engine/messages.ts';
import type { AccountContract, ShownMechanism } from './contract.ts';

/** Empty until they are known. */
export const mechanisms = signal<readonly ShownMechanism[]>([]);

const cards = lane<AccountContract>('account', 'finish');
let isAsked = false;

export function loadMechanisms(refuse: (reason: Refusal) => void): void {
  if (isAsked) return;
  isAsked = true;
  cards.ask('mechanisms', null, { answer: (known) => (mechanisms.value = known), refusal: refuse });
}
