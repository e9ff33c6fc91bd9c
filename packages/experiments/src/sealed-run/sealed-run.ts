/**
 * One trial of a cell with sealed messages: users, shuffler and analyzer take their turns, round by round,
 * and what comes out is compared with the trial of the same streams whose messages were never sealed.
 */
import { ParameterError } from '@shuffle-dp/core';
import { SEAL_BYTES } from '@shuffle-dp/sealed';
import type { Cell } from '../kinds/cell.ts';
import { prepareToRun } from '../trials/cell-tasks.ts';
import { dataOf, protocolOf } from '../trials/thread-memory.ts';
import { runTrial } from '../trials/trial.ts';
import type { Analyzer } from './analyzer.ts';
import type { Clients } from './clients.ts';
import { Network } from './network.ts';
import { tally, type AnalyzerStep, type Reached, type Round, type Tally } from './parties.ts';
import type { Shuffler } from './shuffler.ts';

/** Beyond, sealing and opening take a quarter of an hour and the views fill gigabytes. */
const MOST_SEALED = 1_000_000;

/** Above which the time is told beforehand; a message takes some 0.6 ms to seal and open. */
const MANY_SEALED = 20_000;
const SECONDS_EACH = 6e-4;

export interface Parties {
  readonly clients: Reached<Clients>;
  readonly shuffler: Reached<Shuffler>;
  readonly analyzer: Reached<Analyzer>;
}

export interface SealedOptions {
  /**
   * Messages below which the shuffler hands nothing on; by default half of those that the protocol makes on
   * average.
   */
  readonly minimumBatch?: number | undefined;
  /** Messages of every kind of attack that the network adds to a round; default 0. */
  readonly attacks?: number;
  readonly signal?: AbortSignal;
  /** Told of runs that take a while. */
  readonly onNotice?: (line: string) => void;
}

export interface SealedRound {
  readonly stage: string;
  /** Of a message, open and sealed. */
  readonly bytes: { readonly open: number; readonly sealed: number };
  readonly minimum: number;
  readonly sent: number;
  readonly added: Tally;
  readonly atShuffler: Tally;
  readonly atAnalyzer: Tally;
  readonly seconds: { readonly seal: number; readonly shuffle: number; readonly open: number };
}

export interface SealedRun {
  readonly cell: Cell;
  readonly rounds: readonly SealedRound[];
  readonly estimates: Float64Array;
  /** Of the trial without seals. */
  readonly unsealed: Float64Array;
}

/** The cell on the message path, which alone has messages to seal. */
export function messageCell(cell: Cell): Cell {
  const { key } = cell.data;
  const data = { ...cell.data, key: `${key} messages`, simulation: 'messages' };
  // Of the same kind as before, which the compiler does not see in a spread union.
  return { ...cell, id: `${cell.id} sealed`, data } as Cell;
}

/**
 * One trial of a cell with sealed messages, held against the same trial with open ones.
 *
 * @param cell on the message path
 * @throws ParameterError for own randomizers, protocols whose shuffler must read messages, searches, threats
 * that change what users send, and for too many messages; SmallBatchError
 */
export async function runSealed(
  cell: Cell,
  parties: Parties,
  { minimumBatch, attacks = 0, signal, onNotice }: SealedOptions = {},
): Promise<SealedRun> {
  if (cell.spec.kind === 'own-randomizer')
    throw new ParameterError(
      'protocol',
      cell.spec.kind,
      'one of this program: the processes of the parties do not watch the modules of users',
    );
  await prepareToRun(cell);
  const messages = refuseUnsealable(cell);
  if (messages > MANY_SEALED)
    onNotice?.(`${messages} messages are sealed and opened: about ${Math.round(messages * SECONDS_EACH)} s`);
  const unsealed = unsealedEstimates(cell);
  const network = new Network(attacks);
  const rounds: SealedRound[] = [];
  let step: AnalyzerStep = await parties.analyzer.begin(cell);
  await parties.clients.begin(cell);
  while (!('estimates' in step)) {
    signal?.throwIfAborted();
    const { round } = step;
    // A round begins when the one before is done.
    // oxlint-disable-next-line no-await-in-loop
    const done = await runRound(parties, network, step, minimumBatch ?? Math.ceil(round.expected / 2));
    rounds.push(done.round);
    step = done.step;
  }
  return { cell, rounds, estimates: step.estimates, unsealed };
}

async function runRound(
  { clients, shuffler, analyzer }: Parties,
  network: Network,
  { round, known }: Extract<AnalyzerStep, { readonly round: Round }>,
  minimum: number,
): Promise<{ readonly round: SealedRound; readonly step: AnalyzerStep }> {
  const bytes = { open: round.layout.bytes, sealed: round.layout.bytes + SEAL_BYTES };
  const { sealed, permutation, seconds: seal } = await clients.send(round, known);
  const { arrivals, added } = network.deliver(sealed, round);
  const passed = await shuffler.shuffle(arrivals, { bytes: bytes.sealed, minimum }, permutation);
  const opened = await analyzer.open(passed.batch);
  return {
    step: opened.step,
    round: {
      stage: round.stage,
      bytes,
      minimum,
      sent: sealed.length,
      added: tally(added),
      atShuffler: passed.verdicts,
      atAnalyzer: opened.verdicts,
      seconds: { seal, shuffle: passed.seconds, open: opened.seconds },
    },
  };
}

/** @returns the messages to expect @throws ParameterError */
function refuseUnsealable(cell: Cell): number {
  const { data, spec } = cell;
  if (cell.holds === 'identifiers')
    throw new ParameterError(
      'protocol',
      spec.kind,
      'one whose estimates have known places: nobody knows beforehand what a search finds',
    );
  const { cost, trust } = protocolOf(cell);
  const { dropout, poisoning } = cell.threats ?? {};
  if (dropout || poisoning)
    throw new ParameterError(
      'threats',
      [...(dropout ? ['dropout'] : []), ...(poisoning ? ['poisoning'] : [])].join(', '),
      'left out of the cell, or choose another one by --cell: in a sealed run all users take part and follow the protocol',
    );
  if (trust === 'augmented')
    throw new ParameterError(
      'protocol',
      spec.kind,
      'one whose shuffler only permutes: this one drops messages and adds its own',
    );
  const messages = Math.round(cost().messagesPerUser * data.users);
  if (messages > MOST_SEALED)
    throw new ParameterError(
      'users',
      data.users,
      `so few that at most ${MOST_SEALED} messages are sealed: these send ${messages}`,
    );
  return messages;
}

function unsealedEstimates(cell: Cell): Float64Array {
  let estimates = new Float64Array(0);
  const onAnswer = (answer: Float64Array): void => {
    estimates = Float64Array.from(answer);
  };
  runTrial(cell, protocolOf(cell), dataOf(cell.data, 0), { number: 0 }, { onAnswer });
  return estimates;
}
