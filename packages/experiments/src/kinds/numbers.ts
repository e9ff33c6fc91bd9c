/** One number a user: their mean, or their sum. */
import { createNumberProtocol, sumOver, type NumberData } from '@shuffle-dp/protocols';
import { drawnLevels } from '../personalized/cell-budgets.ts';
import { attendingNumbers } from './attendance.ts';
import type { NumberCell } from './cell.ts';
import type { DataKind, RunProtocol } from './data-kind.ts';
import { threatsToPrivacy } from './threats.ts';

export const NUMBERS: DataKind<'numbers'> = {
  holds: 'numbers',
  draw: (source, { users, simulation }, stream) => source.draw(users, simulation, stream),
  truthOf(data, { measure, data: { users: everyone } }) {
    const { users, population } = data;
    // Where some stay away, the sum is the mean of those who came times all users.
    const scale = measure === 'sum' ? everyone : 1;
    return {
      empirical: Float64Array.of((sumOver(data, (value) => value) / users) * scale),
      population: population?.map((mean) => mean * scale),
    };
  },
  namesOf: ({ range: { unit } }, measure) => [unit === undefined ? measure : `${measure} (${unit})`],
  limitsOf({ measure, data: { users, range } }) {
    const scale = measure === 'sum' ? users : 1;
    return { low: range.low * scale, high: range.high * scale };
  },
  bytesOf: ({ values, counts }) =>
    (values?.byteLength ?? 0) + (counts ? counts.points.byteLength + counts.holders.byteLength : 0),
  attending: (data, cell, attendance, stream) =>
    attendingNumbers(data, attendance, cell.data.range.high, stream),
  protocolOf(cell, users) {
    const protocol = meanProtocol(cell, users);
    return cell.measure === 'sum' ? summed(protocol, cell.data.users) : protocol;
  },
};

function meanProtocol(
  { spec, data, delta, epsilon, budgets, accounting, threats }: NumberCell,
  users = data.users,
): RunProtocol<NumberData> {
  const { range } = data;
  const facing = accounting === 'certified' && threats ? threatsToPrivacy(data.users, threats) : {};
  const { colluding = 0, dropout = 0 } = facing;
  const { low, high } = range;
  return createNumberProtocol(spec, {
    users,
    range: { low, high },
    delta,
    epsilon,
    ...(budgets && { budgets: drawnLevels(budgets, users, data.seed) }),
    ...(colluding > 0 ? { colluding } : {}),
    ...(dropout > 0 ? { dropout } : {}),
  });
}

/** The number of users is public: the sum is so many times the mean. */
function summed(protocol: RunProtocol<NumberData>, users: number): RunProtocol<NumberData> {
  const { sentBy } = protocol;
  return {
    ...protocol,
    ...(sentBy && { sentBy: (others: number) => summed(sentBy(others), users) }),
    run: (...trial) => protocol.run(...trial).map((mean) => mean * users),
    expectedError(data) {
      const error = protocol.expectedError(data);
      return error === null ? null : error * users * users;
    },
  };
}
