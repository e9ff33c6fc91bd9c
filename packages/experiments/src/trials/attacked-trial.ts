/**
 * A trial in which users stay away or send what they like: the same messages by those who take part, and what
 * an analyzer makes of them who divides by the number of those who do. What is true stays what is true of
 * all.
 */
import { ParameterError, type CategoricalData, type RandomStream, type ShuffleTrace } from '@shuffle-dp/core';
import {
  FREQUENCY_PROTOCOLS,
  NUMBER_PROTOCOLS,
  poisonedError,
  poisonedEstimate,
  poisonedMessagesEstimate,
  VECTOR_PROTOCOLS,
  type FakeMessages,
} from '@shuffle-dp/protocols';
import type { Cell } from '../kinds/cell.ts';
import type { AnyData, RunProtocol } from '../kinds/data-kind.ts';
import { kindOf } from '../kinds/kinds.ts';
import { drawAttendance, fakeUsers, threatsToPrivacy, type CellThreats } from '../kinds/threats.ts';
import { SQUARED_ERROR_BY } from './error-measure.ts';

export interface AttackedTrial {
  estimate(stream: RandomStream, trace?: (entry: ShuffleTrace) => void): Float64Array;
  /** Against what is true of all users, given who takes part; null where no closed form is known. */
  expectedError(): number | null;
}

/**
 * What is proved of the honest who take part, in place of what is proved and stated of users who all do as
 * they should.
 */
export function withThreatenedPrivacy<Data>(
  protocol: RunProtocol<Data>,
  cell: Cell,
  threats: CellThreats,
): RunProtocol<Data> {
  const { threatenedPrivacy, name } = protocol;
  if (threatenedPrivacy === undefined)
    throw new ParameterError(
      'threats',
      threats,
      `left out: no privacy is proved here for ${name} where users collude or stay away`,
    );
  const proved = () => threatenedPrivacy(threatsToPrivacy(cell.data.users, threats));
  return { ...protocol, privacy: proved, certifiedPrivacy: proved };
}

/** @param protocol of all users of the cell @throws ParameterError */
export function attackedTrial(
  cell: Cell,
  threats: CellThreats,
  protocol: RunProtocol<AnyData>,
  data: AnyData,
  stream: RandomStream,
): AttackedTrial {
  const { users, simulation } = cell.data;
  const fakes = fakeUsers(users, threats);
  if (fakes === 0 && !threats.dropout)
    return {
      estimate: (own, trace) => protocol.run(data, own, simulation, trace),
      expectedError: () => protocol.expectedError(data),
    };
  const kind = kindOf(cell.holds);
  const attendance = drawAttendance(users, threats, stream.fork('attendance'));
  const crafted = craftedMessages(threats, fakes);
  const present = kind.attending(data, cell, attendance, stream.fork('who'));
  const truth = kind.truthOf(data, cell).empirical;
  const everyone = attendance.honest + fakes;
  if (crafted) {
    const { oracle } = protocol;
    if (oracle === undefined)
      throw new ParameterError(
        'threats.poisoning.attack',
        crafted.attack,
        `'input' or 'random-item' for ${protocol.name}: the best message is known for single-message frequencies only`,
      );
    const honest = present as CategoricalData;
    return {
      estimate: (own, trace) =>
        simulation === 'messages'
          ? poisonedMessagesEstimate(oracle, honest, crafted, own, trace)
          : poisonedEstimate(oracle, honest, crafted, own),
      expectedError: () => poisonedError(oracle, honest, crafted, truth),
    };
  }
  const sentBy =
    protocol.sentBy ?? ((others: number) => kind.protocolOf(sameMessages(cell, protocol.parameters), others));
  const messages = everyone === users ? protocol : sentBy(everyone);
  return {
    estimate: (own, trace) => messages.run(present, own, simulation, trace),
    // Estimates are unbiased for those who take part; from the truth of all users these differ.
    expectedError() {
      const error = messages.expectedError(present);
      if (error === null || outsideRange(present, cell)) return null;
      const taken = kind.truthOf(present, cell).empirical;
      const { measure = 'frequencies' } = cell;
      return error + SQUARED_ERROR_BY[measure](taken.map((value, i) => value - truth[i]!));
    },
  };
}

function craftedMessages({ poisoning }: CellThreats, count: number): FakeMessages | null {
  if (poisoning === undefined || count === 0) return null;
  const { attack, targets } = poisoning;
  return attack === 'maximal-gain' || attack === 'random-message' ? { attack, targets, count } : null;
}

const CARDS = [...FREQUENCY_PROTOCOLS, ...NUMBER_PROTOCOLS, ...VECTOR_PROTOCOLS];

function cardOf({ spec }: Cell): (typeof CARDS)[number] | undefined {
  return CARDS.find(({ kind }) => kind === spec.kind);
}

/** What the target sets of the cell's protocol; undefined where no card says it. */
export function setByTarget(cell: Cell): string | undefined {
  return cardOf(cell)?.setByTarget;
}

/** The cell with all that its target has set held, so that other numbers of users send the same messages. */
export function sameMessages(cell: Cell, parameters: RunProtocol<AnyData>['parameters']): Cell {
  const { spec } = cell;
  const card = cardOf(cell);
  const names = card ? card.fields.map(({ name }) => name) : ['epsilon0'];
  const held = names.filter((name) => name !== 'accounting' && parameters[name] !== undefined);
  return {
    ...cell,
    spec: { ...spec, ...Object.fromEntries(held.map((name) => [name, parameters[name]])) },
  } as Cell;
}

/** Numbers outside are moved to its ends, which biases. */
function outsideRange(data: AnyData, { data: cell }: Cell): boolean {
  if (data.kind !== 'numbers' || cell.holds !== 'numbers' || data.values === undefined) return false;
  const { low, high } = cell.range;
  return data.values.some((value) => value < low || value > high);
}
