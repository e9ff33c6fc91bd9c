// Ranges of trials are added up to the same bytes, in whatever order and parts they come, and from whatever
// checkpoint they go on.
import * as fc from 'fast-check';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { checkpointsIn } from '../../src/run-folder/checkpoints.ts';
import { cutIntoRanges, TrialProgress, type TrialState } from '../../src/run/trial-progress.ts';
import { addAnswer, firstTrials, roomFor, trialsIn, type TrialRange } from '../../src/trials/trial-range.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-progress-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const DOMAIN = 3;

/**
 * What a task makes of a range: its trials from those of `begun` to `to`; sums that depend on the order of
 * their terms.
 */
function measured(from: number, size: number, count: number, begun: TrialRange | null): TrialRange {
  const range = roomFor(size, DOMAIN, begun);
  for (let index = begun ? trialsIn(begun) : 0; index < count; index++) {
    const trial = from + index;
    range.squaredErrors[index] = Math.sin(trial);
    range.populationErrors[index] = Number.NaN;
    range.expectedErrors[index] = trial / 7;
    for (let item = 0; item < DOMAIN; item++) range.itemErrors[item]! += Math.cos(trial * (item + 0.1)) / 3;
    const answer = Float64Array.from({ length: DOMAIN }, (_, item) => Math.cos(trial * (item + 0.2)));
    addAnswer(range.answers, index, answer, answer.toReversed());
  }
  return firstTrials(range, count);
}

function inOrder(trials: number): TrialProgress {
  const { size, count } = cutIntoRanges(trials);
  const progress = new TrialProgress(trials, DOMAIN, null);
  for (let index = 0; index < count; index++) {
    const length = Math.min(size, trials - index * size);
    progress.put(index, measured(index * size, length, length, null));
  }
  return progress;
}

describe('the trials of a cell', () => {
  test('are cut by their number alone', () => {
    expect(cutIntoRanges(1)).toEqual({ size: 10, count: 1 });
    expect(cutIntoRanges(25)).toEqual({ size: 10, count: 3 });
    expect(cutIntoRanges(1_000_000)).toEqual({ size: 1000, count: 1000 });
  });

  test('have the same bytes for every order, cut and interruption', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 65 }), fc.infiniteStream(fc.nat()), (trials, choices) => {
        const choose = (below: number): number => (choices.next().value as number) % below;
        const { size, count } = cutIntoRanges(trials);
        const checkpoints = checkpointsIn(root, 'v');
        let progress = new TrialProgress(trials, DOMAIN, null);
        while (!progress.isComplete) {
          const open = Array.from({ length: count }, (_, i) => i).filter((i) => !progress.isWhole(i));
          const index = open[choose(open.length)]!;
          const length = Math.min(size, trials - index * size);
          const begun = progress.begun(index);
          const done = begun ? trialsIn(begun) : 0;
          progress.put(index, measured(index * size, length, done + 1 + choose(length - done), begun));
          if (choose(3) > 0) continue;
          // Killed, and resumed from the disk.
          checkpoints.write('cell', progress.state);
          const before = progress.trialsDone;
          progress = new TrialProgress(trials, DOMAIN, checkpoints.read('cell') as TrialState | null);
          expect(progress.trialsDone).toBe(before);
        }
        const [{ seconds: _, ...sum }, { seconds: __, ...expected }] = [progress.sum, inOrder(trials).sum];
        expect(sum).toEqual(expected);
        expect(progress.trialsDone).toBe(trials);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a checkpoint', () => {
  test('of another version of the program is left alone, a damaged one is refused', () => {
    checkpointsIn(root, 'v').write('cell', { trials: Float64Array.of(1, -0, Number.NaN, 5e-324) });
    expect(checkpointsIn(root, 'v').read('cell')).toEqual({
      trials: Float64Array.of(1, -0, Number.NaN, 5e-324),
    });
    expect(checkpointsIn(root, 'w').read('cell')).toBeNull();
    const file = join(root, 'checkpoints/cell.json');
    const text = readFileSync(file, 'utf8');
    for (const damaged of [text.replace('"v"', '"w"'), text.slice(0, -9), '', '{}\n']) {
      writeFileSync(file, damaged);
      expect(() => checkpointsIn(root, 'v').read('cell')).toThrow(
        `${file}: line 1: is damaged; delete the file: what it holds is run again`,
      );
    }
  });
});
