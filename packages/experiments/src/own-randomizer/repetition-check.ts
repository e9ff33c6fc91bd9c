/** Whether a frequency oracle gives the same again from the same: what a run can be repeated by. */
import type { CategoricalData, FrequencyOracle, MessageColumns, RandomStream } from '@shuffle-dp/core';
import { valueText } from '../documents/config-error.ts';
import { canonicalJson } from '../run-folder/canonical-json.ts';
import { countingProtocol } from './counting-protocol.ts';

const USERS = 256;

/**
 * What differs between two calls with equal arguments, or what messages lack, as what the oracle must be:
 * 'one whose …'; null where nothing is. @throws what the oracle throws
 */
export function repetitionFault(oracle: FrequencyOracle, stream: RandomStream): string | null {
  const { domain } = oracle;
  const values = Uint32Array.from({ length: USERS }, (_, user) => user % domain);
  const histogram = new Float64Array(domain);
  for (const value of values) histogram[value]!++;
  const given = values.slice();
  const draw = () => {
    const messages = oracle.allocate(USERS);
    oracle.randomizeInto(given, messages, stream.fork('messages'));
    return messages;
  };
  const first = draw();
  // Other protocols read the same values.
  const changed = given.findIndex((value, user) => value !== values[user]);
  if (changed >= 0)
    return `one whose randomizeInto leaves the values as they are, not value ${changed} = ${given[changed]} for ${values[changed]}`;
  const second = draw();
  const shape = shapeFault(first);
  if (shape !== null) return shape;
  for (const [name, column] of Object.entries(first.columns)) {
    const again = second.columns[name];
    const user = column.subarray(0, USERS).findIndex((entry, i) => !Object.is(entry, again?.[i]));
    if (user >= 0)
      return (
        `one whose messages follow from the values and the stream: given both again, message ${user} has ` +
        `${name} = ${again?.[user]}, not ${column[user]} (chance or state from elsewhere, such as crypto or a counter)`
      );
  }
  const data: CategoricalData = { kind: 'categories', users: USERS, domain, histogram, values };
  const counting = countingProtocol(oracle, USERS);
  const counted = () => counting.run(data, stream.fork('counting'), 'messages');
  const counts = counted();
  const pairs: [method: string, once: unknown, again: unknown][] = [
    ['supportCounts', counts, counted()],
    [
      'sampleSupportCounts',
      oracle.sampleSupportCounts(histogram.slice(), stream.fork('counts')),
      oracle.sampleSupportCounts(histogram.slice(), stream.fork('counts')),
    ],
    ['estimate', oracle.estimate(counts, USERS), oracle.estimate(counts, USERS)],
    ['variance', oracle.variance(USERS, 0.25), oracle.variance(USERS, 0.25)],
    ['amplification', oracle.amplification(), oracle.amplification()],
  ];
  const differing = pairs.find(([, once, again]) => textOf(once) !== textOf(again));
  if (differing === undefined) return null;
  return `one whose ${differing[0]} gives the same again from the same arguments: it has chance or state from elsewhere`;
}

function shapeFault(messages: { readonly columns: MessageColumns; readonly count: number }): string | null {
  const { columns, count } = messages;
  if (count !== USERS)
    return `one whose randomizeInto gives one message a user, not ${count} of ${USERS} users`;
  for (const [name, column] of Object.entries(columns)) {
    if (!ArrayBuffer.isView(column) || !('length' in column))
      return `one whose messages are columns of typed arrays, not ${name} = ${valueText(column)}`;
    if (column.length < USERS)
      return `one whose columns hold all messages, not ${name} with ${column.length} for ${USERS} users`;
  }
  return null;
}

function textOf(value: unknown): string {
  return canonicalJson(value) ?? 'undefined';
}
