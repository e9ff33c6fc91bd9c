/**
 * Whether a program keeps the privacy that is claimed of it. Trials in two worlds, which differ in one user's
 * input, choose events by which an adversary tells the worlds apart; other trials count them, and exact
 * intervals bound epsilon from below. An audit that finds nothing proves nothing: it says how small an excess
 * it would have found.
 */
import { groupBy, normalQuantile, ParameterError, requireOpenUnit } from '@shuffle-dp/core';
import { forEachConcurrently } from '../pool/pool.ts';
import type { AuditMemory } from './audit-memory.ts';
import type { AuditTask } from './audit-tasks.ts';
import { chooseEvents, type AuditEvent, type ChoiceTrials } from './choose-events.ts';
import { epsilonAtLeast, smallestExcess, type EventCounts } from './measured-epsilon.ts';
import type { ViewSource, World } from './views.ts';

/** What is claimed at one delta: no epsilon above `allowed`. */
export interface AuditClaim {
  readonly delta: number;
  readonly allowed: number;
}

export interface AuditSettings {
  readonly claims: readonly AuditClaim[];
  /** In all: of both worlds, and to choose as well as to judge. */
  readonly trials: number;
  /** Probability that every measured lower end is one. */
  readonly confidence: number;
  readonly seed: string;
  /** Where an audit that was killed finds what it had done; results are the same with it. */
  readonly memory?: AuditMemory | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (done: number, total: number) => void;
}

/** An event with what was counted. */
export interface JudgedEvent extends AuditEvent, EventCounts {
  readonly epsilon: number;
}

export interface AuditRow extends AuditClaim {
  /** Epsilon is at least this, with the confidence of the audit. */
  readonly measured: number;
  /**
   * The least excess over what is allowed that would have been found in the event tested; null where none.
   */
  readonly smallestExcess: number | null;
  /** For the first world, and for the second. */
  readonly events: readonly JudgedEvent[];
}

export interface AuditResult {
  readonly rows: readonly AuditRow[];
  readonly verdict: 'consistent' | 'violated';
  readonly trialsToChoose: number;
  readonly trialsToJudge: number;
}

/** Performs the tasks of the source, here or in threads; `lanes` at a time. */
export interface TaskRunner {
  readonly lanes: number;
  run(task: AuditTask): Promise<Float64Array>;
}

/** What may be known of a source without drawing from it. */
export type SourceShape = Pick<ViewSource, 'dataSets' | 'pairs' | 'scores' | 'hasRatio' | 'trialsAtOnce'>;

export const LEAST_TRIALS = 1000;
/** Share of the trials to choose on: many trials need a smaller one. */
const CHOICE_SHARE = 0.2;
const CHOICE_SHARE_OF_MANY = 0.05;
const MANY_TRIALS = 1e6;
const WORLDS = [0, 1] as const;

/** Beyond it one less the error of a single event is no double. */
const MOST_CONFIDENCE = 1 - 1e-9;

/** @throws ParameterError, and the signal's reason when aborted */
export async function audit(
  shape: SourceShape,
  settings: AuditSettings,
  runner: TaskRunner,
): Promise<AuditResult> {
  const { claims, trials, confidence } = settings;
  if (!(confidence > 0 && confidence <= MOST_CONFIDENCE))
    throw new ParameterError('confidence', confidence, `above 0 and at most ${MOST_CONFIDENCE}`);
  if (!(Number.isSafeInteger(trials) && trials >= LEAST_TRIALS))
    throw new ParameterError('trials', trials, `an integer of at least ${LEAST_TRIALS}`);
  if (claims.length === 0) throw new ParameterError('deltas', 'none', 'one at least');
  for (const { delta } of claims) requireOpenUnit('deltas', delta);
  /** Each delta has an event for either world, and all lower ends are to hold together. */
  const error = (1 - confidence) / (2 * claims.length);
  const share = trials >= MANY_TRIALS ? CHOICE_SHARE_OF_MANY : CHOICE_SHARE;
  const choosing = Math.max(4, Math.floor((share * trials) / (2 * shape.dataSets.length * shape.pairs)));
  const trialsToChoose = 2 * choosing * shape.dataSets.length * shape.pairs;
  const judging = Math.floor((trials - trialsToChoose) / 2);
  if (judging < 1)
    throw new ParameterError('trials', trials, `more than ${trialsToChoose}, which only choose`);
  let done = 0;
  const perform = async (
    phase: AuditTask['purpose'],
    tasks: readonly AuditTask[],
    take: (task: AuditTask, answer: Float64Array) => void,
  ): Promise<void> => {
    const answers = new Map(settings.memory?.read(phase));
    for (const number of answers.keys()) done += tasks[number]!.trials;
    const left = tasks.flatMap((task, number) => (answers.has(number) ? [] : [{ task, number }]));
    await forEachConcurrently(left, Math.max(1, runner.lanes), settings.signal, async ({ task, number }) => {
      answers.set(number, await runner.run(task));
      done += task.trials;
      settings.memory?.keep(phase, answers);
      settings.onProgress?.(done, trials);
    });
    tasks.forEach((task, number) => take(task, answers.get(number)!));
  };

  const choices = emptyChoices(shape, choosing);
  const places = new Map(choices.map((choice) => [`${choice.dataSet} ${choice.pair}`, choice]));
  const filled = new Map<Float64Array, number>();
  await perform('choice', choiceTasks(shape, choosing, settings.seed), ({ dataSet, pair, world }, scores) => {
    places.get(`${dataSet} ${pair}`)!.scores[world].forEach((column, score) => {
      let at = filled.get(column) ?? 0;
      for (let i = score; i < scores.length; i += shape.scores) column[at++] = scores[i]!;
      filled.set(column, at);
    });
  });

  const deviations = normalQuantile(1 - error);
  const deltas = claims.map(({ delta }) => delta);
  const events = chooseEvents(deltas, choices, judging, deviations, shape.hasRatio);
  const groups = [...groupBy(events, ({ dataSet, pair }) => `${dataSet} ${pair}`).values()];
  const each = Math.max(1, Math.floor(judging / groups.length));
  const seen = new Map(events.map((event) => [event, [0, 0] as [number, number]]));
  await perform(
    'judgement',
    judgementTasks(shape, groups, each, settings.seed),
    ({ world, events: counted }, counts) =>
      counted!.forEach((event, i) => (seen.get(event)![world] += counts[i]!)),
  );

  const rows = claims.map(({ delta, allowed }): AuditRow => {
    const judged = events
      .filter((event) => event.delta === delta)
      .map((event): JudgedEvent => {
        const [first, second] = seen.get(event)!;
        const [inFavour, against] = event.favours === 0 ? [first, second] : [second, first];
        const counts = { inFavour, against, trials: each };
        return { ...event, ...counts, epsilon: epsilonAtLeast(counts, delta, error) };
      });
    const excesses = judged
      .map((event) => smallestExcess(event, delta, error, allowed))
      .filter((excess) => excess !== null);
    return {
      delta,
      allowed,
      measured: Math.max(...judged.map(({ epsilon }) => epsilon)),
      smallestExcess: excesses.length === 0 ? null : Math.min(...excesses),
      events: judged,
    };
  });
  return {
    rows: rows.map((row) => ({
      ...row,
      // Epsilon falls as delta grows, and all rows hold at once: what is found at a larger delta counts too.
      measured: Math.max(...rows.filter(({ delta }) => delta >= row.delta).map(({ measured }) => measured)),
    })),
    verdict: rows.some(({ measured, allowed }) => measured > allowed) ? 'violated' : 'consistent',
    trialsToChoose,
    trialsToJudge: 2 * each * groups.length,
  };
}

function emptyChoices({ dataSets, pairs, scores }: SourceShape, trials: number): ChoiceTrials[] {
  const columns = (): Float64Array[] => Array.from({ length: scores }, () => new Float64Array(trials));
  return dataSets.flatMap((dataSet) =>
    Array.from({ length: pairs }, (_, pair) => ({ dataSet, pair, scores: [columns(), columns()] as const })),
  );
}

function choiceTasks(shape: SourceShape, trials: number, seed: string): AuditTask[] {
  return shape.dataSets.flatMap((dataSet) =>
    Array.from({ length: shape.pairs }, (_, pair) => pair).flatMap((pair) =>
      WORLDS.flatMap((world) =>
        chunksOf(trials, shape.trialsAtOnce).map((size, chunk) => ({
          seed,
          purpose: 'choice' as const,
          world,
          dataSet,
          pair,
          chunk,
          trials: size,
          events: null,
        })),
      ),
    ),
  );
}

/** Events that the same trials judge: those of one data set, and of one pair or of all. */
type EventGroup = readonly [AuditEvent, ...AuditEvent[]];

/** So many rounds through the pairs at least. */
const ROUNDS_OF_PAIRS = 4;

function judgementTasks(
  shape: SourceShape,
  groups: readonly EventGroup[],
  trials: number,
  seed: string,
): AuditTask[] {
  return groups.flatMap((events) => {
    const [{ dataSet, pair }] = events;
    const inTurn = pair === null ? ROUNDS_OF_PAIRS * shape.pairs : 1;
    const atOnce = Math.min(shape.trialsAtOnce, Math.max(1, Math.ceil(trials / inTurn)));
    return chunksOf(trials, atOnce).flatMap((size, chunk) =>
      WORLDS.map((world: World) => ({
        seed,
        purpose: 'judgement' as const,
        world,
        dataSet,
        pair: pair ?? chunk % shape.pairs,
        chunk,
        trials: size,
        events,
      })),
    );
  });
}

function chunksOf(trials: number, atOnce: number): number[] {
  const whole = Array.from({ length: Math.floor(trials / atOnce) }, () => atOnce);
  return trials % atOnce === 0 ? whole : [...whole, trials % atOnce];
}
