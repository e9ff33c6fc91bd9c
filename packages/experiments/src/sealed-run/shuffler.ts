/**
 * The shuffler of a sealed run: it has no key, no data and no protocol, and drops what comes with a message.
 */
import { RandomStream } from '@shuffle-dp/core';
import { SealedIntake, type BatchRules, type IntakeVerdict } from '@shuffle-dp/sealed';
import { toCsv } from '../results/csv.ts';
import { writeFiles } from '../run-folder/write-files.ts';
import { SHOWN, shortHex, tally, type Tally, type View } from './parties.ts';

/** A message as it comes over the network: what was sealed, and where from. */
export interface Arrival {
  readonly sealed: Uint8Array;
  /** Which connection brought it: the messages of one user could be told by it. */
  readonly connection: number;
}

export interface HandedOn {
  readonly batch: readonly Uint8Array[];
  readonly verdicts: Tally;
  readonly seconds: number;
}

interface SeenMessage extends Arrival {
  readonly round: number;
  readonly milliseconds: number;
  readonly verdict: IntakeVerdict;
  /** Its place in the batch that was handed on. */
  place: number | null;
}

export const SHUFFLER_FILES = ['shuffler.csv'] as const;

export class Shuffler {
  private readonly intake = new SealedIntake();
  private readonly seen: SeenMessage[] = [];
  private rounds = 0;

  /**
   * @param permutation four words of a random stream
   * @throws SmallBatchError
   */
  shuffle(arrivals: readonly Arrival[], rules: BatchRules, permutation: Int32Array): HandedOn {
    const begin = performance.now();
    const batch = this.intake.openBatch(rules);
    const round = ++this.rounds;
    const now = arrivals.map(({ sealed, connection }): SeenMessage => {
      const milliseconds = performance.now() - begin;
      const verdict = batch.take(sealed);
      return { round, connection, milliseconds, sealed, verdict, place: null };
    });
    for (const message of now) this.seen.push(message);
    const stream = RandomStream.fromSeed('permutation');
    stream.state.set(permutation);
    const handedOn = batch.close(stream);
    const places = new Map(handedOn.map((sealed, place) => [sealed, place]));
    for (const message of now)
      if (message.verdict === 'accepted') message.place = places.get(message.sealed)!;
    return {
      batch: handedOn,
      verdicts: tally(now.map(({ verdict }) => verdict)),
      seconds: (performance.now() - begin) / 1000,
    };
  }

  /** Writes all that the shuffler has seen. */
  view(folder: string): View {
    const rows = this.seen.map(({ sealed, milliseconds, ...row }, arrival) => ({
      arrival,
      ...row,
      milliseconds: milliseconds.toFixed(3),
      bytes: sealed.length,
      sealed: Buffer.from(sealed).toString('hex'),
    }));
    const columns = ['arrival', 'round', 'connection', 'milliseconds', 'bytes', 'verdict', 'place', 'sealed'];
    writeFiles(folder, { 'shuffler.csv': toCsv(columns, rows) });
    return this.seen
      .slice(0, SHOWN)
      .map(
        ({ connection, sealed, verdict, place }) =>
          `from connection ${connection}, ${sealed.length} bytes: ${shortHex(sealed)} ${place === null ? verdict : `handed on as ${place}`}`,
      );
  }
}
