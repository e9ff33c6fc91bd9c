/** The analyzer of a sealed run: it has the private key and the protocol, and no user's data. */
import { RandomStream, type ShuffledMessages } from '@shuffle-dp/core';
import {
  generateKeyPair,
  layoutOf,
  SealedOpening,
  type MessageLayout,
  type OpeningVerdict,
} from '@shuffle-dp/sealed';
import type { Cell } from '../kinds/cell.ts';
import { kindOf } from '../kinds/kinds.ts';
import { toCsv } from '../results/csv.ts';
import type { CellProtocol } from '../trials/cell-protocol.ts';
import { prepareToRun } from '../trials/cell-tasks.ts';
import { protocolOf } from '../trials/thread-memory.ts';
import { postprocessEstimate } from '../trials/postprocessing.ts';
import { writeFiles } from '../run-folder/write-files.ts';
import { runAsFarAs } from './halves.ts';
import {
  inWords,
  SHOWN,
  shortHex,
  shortText,
  tally,
  type AnalyzerStep,
  type Round,
  type Tally,
  type View,
} from './parties.ts';
import { dataOfNobody } from './users.ts';

export interface Opened {
  readonly step: AnalyzerStep;
  readonly verdicts: Tally;
  readonly seconds: number;
}

interface ReadMessage {
  readonly round: number;
  readonly sealed: Uint8Array;
  readonly verdict: OpeningVerdict;
  readonly says: string | null;
}

export const ANALYZER_FILES = ['analyzer.csv'] as const;

export class Analyzer {
  private readonly keys = generateKeyPair();
  private readonly opening = new SealedOpening(this.keys);
  private readonly known: ShuffledMessages[] = [];
  private readonly read: ReadMessage[] = [];
  private started?: { readonly cell: Cell; readonly protocol: CellProtocol };
  private asked?: Round;

  async begin(cell: Cell): Promise<AnalyzerStep> {
    await prepareToRun(cell);
    this.started = { cell, protocol: protocolOf(cell) };
    return this.step();
  }

  /** What the shuffler handed on in answer to the round that was announced. */
  open(batch: readonly Uint8Array[]): Opened {
    const { number, purpose, layout } = this.asked!;
    const begin = performance.now();
    const { messages, verdicts } = this.opening.open(batch, Buffer.from(purpose), layout);
    const seconds = (performance.now() - begin) / 1000;
    let next = 0;
    batch.forEach((sealed, i) => {
      const verdict = verdicts[i]!;
      const says = verdict === 'opened' ? inWords(messages.columns, next++, layout.width) : null;
      this.read.push({ round: number, sealed, verdict, says });
    });
    this.known.push(messages);
    return { step: this.step(), verdicts: tally(verdicts), seconds };
  }

  /** On data of nobody, by draws of nobody: what comes out depends on the opened messages alone. */
  private step(): AnalyzerStep {
    const { cell, protocol } = this.started!;
    const stream = RandomStream.fromSeed('analyzer');
    const standing = runAsFarAs(this.known, protocol, dataOfNobody(cell.data), stream);
    if ('estimates' in standing) {
      const limits = kindOf(cell.holds).limitsOf(cell);
      return { estimates: postprocessEstimate(standing.estimates, cell.postprocess, limits) };
    }
    const { stage, messages, width } = standing.batch;
    const layout: MessageLayout = layoutOf(messages.columns, width);
    const number = this.known.length + 1;
    this.asked = {
      number,
      stage,
      publicKey: this.keys.publicKey,
      purpose: `shuffle-dp sealed messages 1; cell ${cell.id}; round ${number}; ${stage}`,
      layout,
      expected: messages.count,
    };
    return { round: this.asked, known: this.known };
  }

  /** Writes all that the analyzer has seen. */
  view(folder: string): View {
    const rows = this.read.map(({ sealed, ...row }, position) => ({
      position,
      ...row,
      sealed: Buffer.from(sealed).toString('hex'),
    }));
    writeFiles(folder, {
      'analyzer.csv': toCsv(['position', 'round', 'verdict', 'says', 'sealed'], rows),
    });
    return this.read
      .slice(0, SHOWN)
      .map(
        ({ sealed, verdict, says }, i) =>
          `${i}: ${shortHex(sealed)} ${verdict}${says === null ? '' : `: ${shortText(says)}`}`,
      );
  }
}
