/**
 * All users of a sealed run: they alone hold data. One process stands for them, since their draws come from
 * one stream.
 */
import { encodeMessage, hpkeSealer, layoutOf, SEAL_BYTES } from '@shuffle-dp/sealed';
import type { ShuffledMessages } from '@shuffle-dp/core';
import type { Cell } from '../kinds/cell.ts';
import type { AnyData } from '../kinds/data-kind.ts';
import { toCsv } from '../results/csv.ts';
import type { CellProtocol } from '../trials/cell-protocol.ts';
import { prepareToRun } from '../trials/cell-tasks.ts';
import { dataOf, protocolOf } from '../trials/thread-memory.ts';
import { trialStream } from '../trials/trial.ts';
import { canonicalJson } from '../run-folder/canonical-json.ts';
import { writeFiles } from '../run-folder/write-files.ts';
import { runAsFarAs } from './halves.ts';
import { inWords, SHOWN, shortHex, shortText, type Round, type View } from './parties.ts';
import { heldBy } from './users.ts';

export interface SentMessages {
  readonly sealed: readonly Uint8Array[];
  /** Four words of the stream that permutes the messages in an unsealed run. */
  readonly permutation: Int32Array;
  /** Of sealing alone. */
  readonly seconds: number;
}

interface SentMessage {
  readonly round: number;
  readonly stage: string;
  readonly says: string;
  readonly sealed: Uint8Array;
}

export const CLIENTS_FILES = ['users.csv', 'clients.csv'] as const;

export class Clients {
  private started?: { readonly cell: Cell; readonly protocol: CellProtocol; readonly data: AnyData };
  private readonly sent: SentMessage[] = [];

  async begin(cell: Cell): Promise<void> {
    await prepareToRun(cell);
    this.started = { cell, protocol: protocolOf(cell), data: dataOf(cell.data, 0) };
  }

  /**
   * The messages of a round, sealed, in the order of the users.
   *
   * @param known the rounds before, as the analyzer published them
   * @throws Error where the analyzer asks for other messages than the protocol has
   */
  send(round: Round, known: readonly ShuffledMessages[]): SentMessages {
    const { cell, protocol, data } = this.started!;
    const standing = runAsFarAs(known, protocol, data, trialStream(cell, { number: 0 }));
    if (!('batch' in standing)) throw new Error(`the users have no messages for round ${round.number}`);
    const { stage, messages, width, permutation } = standing.batch;
    const layout = layoutOf(messages.columns, width);
    if (canonicalJson(layout) !== canonicalJson(round.layout))
      throw new Error(`the analyzer asks for other messages than those of ${stage}`);
    const seal = hpkeSealer(round.publicKey, Buffer.from(round.purpose));
    const begin = performance.now();
    const sealed = Array.from({ length: messages.count }, (_, i) =>
      seal(encodeMessage(messages.columns, i, layout)),
    );
    const seconds = (performance.now() - begin) / 1000;
    sealed.forEach((bytes, i) =>
      this.sent.push({
        round: round.number,
        stage,
        says: inWords(messages.columns, i, width),
        sealed: bytes,
      }),
    );
    return { sealed, permutation: permutation.state.slice(), seconds };
  }

  /** Writes what the users know: each of them knows one line of users.csv, and the messages they sent. */
  view(folder: string): View {
    const { data } = this.started!;
    const users = Array.from({ length: data.users }, (_, user) => ({ user, holds: heldBy(data, user) }));
    const rows = this.sent.map(({ sealed, ...row }, message) => ({
      message,
      ...row,
      sealed: Buffer.from(sealed).toString('hex'),
    }));
    writeFiles(folder, {
      'users.csv': toCsv(['user', 'holds'], users),
      'clients.csv': toCsv(['message', 'round', 'stage', 'says', 'sealed'], rows),
    });
    return [
      ...users.slice(0, SHOWN).map(({ user, holds }) => `user ${user} holds ${shortText(holds)}`),
      ...this.sent
        .slice(0, SHOWN)
        .map(({ says, sealed }, i) => `message ${i}: ${shortText(says)} → ${shortHex(sealed)}`),
      `${this.sent.length} messages, each ${SEAL_BYTES} bytes longer than its content`,
    ];
  }
}
