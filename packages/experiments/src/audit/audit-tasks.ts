/** Trials of an audit: what a thread performs. */
import { RandomStream } from '@shuffle-dp/core';
import type { AuditEvent } from './choose-events.ts';
import type { OthersHold, ViewSource, World } from './views.ts';

/**
 * Trials of one world with one data set and one pair of inputs. Its stream follows from the fields, so that
 * threads do not matter.
 */
export interface AuditTask {
  readonly seed: string;
  readonly purpose: 'choice' | 'judgement';
  readonly world: World;
  readonly dataSet: OthersHold;
  readonly pair: number;
  readonly chunk: number;
  readonly trials: number;
  /** To be counted; null for the scores themselves. */
  readonly events: readonly AuditEvent[] | null;
}

/** How often each event was seen; or all scores, as the source gives them. */
export function performTrials(source: ViewSource, task: AuditTask): Float64Array {
  const { seed, purpose, world, dataSet, pair, chunk, trials, events } = task;
  const stream = RandomStream.fromSeed(seed)
    .fork('audit')
    .fork(purpose)
    .fork(`others hold ${dataSet}`)
    .fork(`pair ${pair}`)
    .fork(`world ${world}`)
    .fork(chunk);
  const scores = source.draw(world, dataSet, pair, trials, stream);
  if (events === null) return scores;
  return Float64Array.from(events, ({ score, favours, threshold }) => {
    const sign = favours === 0 ? 1 : -1;
    let seen = 0;
    for (let i = score; i < scores.length; i += source.scores) if (sign * scores[i]! >= threshold) seen++;
    return seen;
  });
}
