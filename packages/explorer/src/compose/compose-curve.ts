/** The privacy along the rounds of a schedule, point by point as they are computed. */
import { signal } from '@preact/signals';
import type { Target } from '@shuffle-dp/core';
import type { ComposedAccount, ScheduledRounds } from '@shuffle-dp/experiments/account';
import { lane } from '../engine/lane.ts';
import type { ComposeContract } from './contract.ts';

export interface CurveQuestion {
  readonly schedule: readonly ScheduledRounds[];
  readonly target: Target;
}

export interface CurvePoint {
  readonly rounds: number;
  readonly account: ComposedAccount;
}

interface Curve {
  /** Of which question it is; none at first, and of what was broken off. */
  readonly key: string | null;
  readonly at: readonly CurvePoint[];
  readonly isWhole: boolean;
}

const worker = lane<ComposeContract>('compose', 'stop');
const NO_CURVE: Curve = { key: null, at: [], isWhole: false };
const curve = signal(NO_CURVE);

/** What is known of the curve of a question; nothing while it is that of another. */
export function pointsOf(question: CurveQuestion): readonly CurvePoint[] {
  const { key, at } = curve.value;
  return key === JSON.stringify(question) ? at : [];
}

/** Asks, unless the same is asked or answered already. */
export function askCurve(question: CurveQuestion): void {
  const key = JSON.stringify(question);
  if (curve.peek().key === key) return;
  curve.value = { key, at: [], isWhole: false };
  const total = question.schedule.reduce((sum, { rounds }) => sum + rounds, 0);
  worker.ask(
    'curve',
    { ...question, counts: countsUpTo(total) },
    {
      answer: (point) => (curve.value = { key, at: withPoint(curve.peek().at, point), isWhole: false }),
      end: () => (curve.value = { ...curve.peek(), isWhole: true }),
    },
  );
}

/** Breaks off what is computed. A part of a curve is forgotten, so that the same can be asked again. */
export function cancelCurve(): void {
  worker.cancel();
  if (!curve.peek().isWhole) curve.value = NO_CURVE;
}

/** In order of rounds; a sharper account takes the place of the one before. */
function withPoint(at: readonly CurvePoint[], point: CurvePoint): CurvePoint[] {
  return [...at.filter(({ rounds }) => rounds !== point.rounds), point].toSorted(
    (a, b) => a.rounds - b.rounds,
  );
}

const POINTS = 9;

function countsUpTo(total: number): number[] {
  const counts = Array.from({ length: POINTS }, (_, i) => Math.round(total ** (i / (POINTS - 1))));
  // The ends first, so that the axes stand.
  return [...new Set([total, 1, ...counts])];
}
