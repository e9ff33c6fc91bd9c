/** Ranges of trials whose users are met by blocks: one trial after another, each on all threads. */
import type { Cell } from '../kinds/cell.ts';
import type { AnyData } from '../kinds/data-kind.ts';
import type { Answer } from '../pool/answer.ts';
import type { Pool } from '../pool/pool.ts';
import { runTrialByBlocks, type BlockOptions } from './block-trial.ts';
import type { CellProtocol } from './cell-protocol.ts';
import type { TrialsTask } from './cell-tasks.ts';
import { comparedError, measureInto, needsChoice } from './measured-trial.ts';
import { protocolOf } from './thread-memory.ts';
import { runTrial, type TrialName } from './trial.ts';
import { firstTrials, roomFor, trialsIn, type TrialRange } from './trial-range.ts';

/** As `runTrials` of the first cell that has not begun all: up to one trial more of it. */
export async function runTrialsByBlocks(
  pool: Pool,
  { cells, from, to, begun }: TrialsTask,
  options: BlockOptions = {},
): Promise<Answer<readonly TrialRange[]>> {
  const ranges = cells.map((cell, i) => roomFor(to - from, cell.data.domain, begun[i]!));
  const done = begun.map((range) => (range ? trialsIn(range) : 0));
  const next = done.findIndex((count) => count < to - from);
  const part = (): TrialRange[] => ranges.map((range, i) => firstTrials(range, done[i]!));
  if (next < 0) return { value: part() };
  const [cell, range, index] = [cells[next]!, ranges[next]!, done[next]!];
  const start = performance.now();
  const trial: TrialName = { number: from + index };
  const answer = await estimateByBlocks(pool, cell, trial, options);
  if ('refused' in answer) return { ...answer, place: next };
  const { protocol, data } = answer.value;
  measureInto(range, index, { cell, protocol, data, trial: trial.number });
  if (needsChoice(cell, range, index)) {
    const choice: TrialName = { ...trial, purpose: 'choice' };
    const chosen = await estimateByBlocks(pool, cell, choice, options);
    if ('refused' in chosen) return { ...chosen, place: next };
    range.choiceErrors[index] = comparedError(
      runTrial(cell, chosen.value.protocol, chosen.value.data, choice),
    );
  }
  range.seconds += (performance.now() - start) / 1000;
  done[next] = index + 1;
  return { value: part() };
}

/** The trial, as a protocol that has its estimates already. */
async function estimateByBlocks(
  pool: Pool,
  cell: Cell,
  trial: TrialName,
  options: BlockOptions,
): Promise<Answer<{ readonly protocol: CellProtocol; readonly data: AnyData }>> {
  const protocol = protocolOf(cell);
  const { messagesPerUser } = protocol.cost();
  const answer = await runTrialByBlocks(pool, cell, protocol.messageRounds!, trial, {
    ...options,
    messagesPerUser,
  });
  if ('refused' in answer) return answer;
  const { estimates, data } = answer.value;
  return { value: { protocol: { ...protocol, estimate: () => estimates }, data } };
}
