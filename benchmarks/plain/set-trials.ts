/** Trials of protocols for sets as one would first write them: arrays of messages, and closures. */
import type { HeldSets } from '@shuffle-dp/core';
import type { SubsetExponential } from '@shuffle-dp/randomizers';
import { plainSubsetExponential } from './set-clients.ts';

function shuffleInPlace(messages: unknown[]): void {
  for (let i = messages.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [messages[i], messages[j]] = [messages[j], messages[i]];
  }
}

function counted(messages: readonly number[], kinds: number): number[] {
  const counts = Array.from({ length: kinds }, () => 0);
  for (const message of messages) counts[message]!++;
  return counts;
}

const itemsOf = ({ rows, items }: HeldSets, user: number): number[] =>
  Array.from(rows.slice(user * items, (user + 1) * items));

/**
 * Items of these users, each sent with the rate of the user's level, among blankets; shuffled and counted.
 */
function itemCounts(
  data: HeldSets,
  users: readonly number[],
  rateOf: (user: number) => number,
  blanketRate: number,
): number[] {
  const slots = Math.ceil(blanketRate);
  const messages: number[] = [];
  for (const user of users) {
    messages.push(...itemsOf(data, user).filter(() => Math.random() < rateOf(user)));
    for (let slot = 0; slot < slots; slot++) {
      if (Math.random() < blanketRate / slots) messages.push(Math.floor(Math.random() * data.domain));
    }
  }
  shuffleInPlace(messages);
  return counted(messages, data.domain);
}

const everyUser = ({ users }: HeldSets): number[] => Array.from({ length: users }, (_, user) => user);

/** Items alone: every level has its rate. */
export function plainItemTrial(data: HeldSets, rates: readonly number[], blanketRate: number): number[] {
  return itemCounts(data, everyUser(data), (user) => rates[data.levelOf![user]!]!, blanketRate);
}

/** First the levels, shuffled and counted, then the items. */
export function plainSegmentedTrial(data: HeldSets, rates: readonly number[], blanketRate: number): number[] {
  const levels = Array.from(data.levelOf!);
  shuffleInPlace(levels);
  const sent = counted(levels, rates.length).reduce((sum, count, k) => sum + count * rates[k]!, 0);
  const blankets = (data.users * blanketRate) / data.domain;
  return plainItemTrial(data, rates, blanketRate).map((count) => (count - blankets) / sent);
}

/** Every level by itself: all items are sent. */
export function plainSeparateTrial(data: HeldSets, blanketRates: readonly number[]): number[][] {
  return blanketRates.map((blanketRate, k) => {
    const users = everyUser(data).filter((user) => data.levelOf![user] === k);
    const blankets = (users.length * blanketRate) / data.domain;
    return itemCounts(data, users, () => 1, blanketRate).map((count) => (count - blankets) / users.length);
  });
}

export function plainSubsetTrial(data: HeldSets, mechanism: SubsetExponential): number[] {
  const send = plainSubsetExponential(mechanism);
  const messages = everyUser(data).map((user) => send(itemsOf(data, user)));
  shuffleInPlace(messages);
  const { own, other } = mechanism.supportProbability;
  return counted(messages.flat(), data.domain).map((count) => (count / data.users - other) / (own - other));
}
