/** How the privacy of a schedule grows with its rounds. */
import type { JSX } from 'preact';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Target } from '@shuffle-dp/core';
import type { ComposedAccount, ScheduledRounds } from '@shuffle-dp/experiments/account';
import { spanningAxis } from '../charts/axis.ts';
import { LineChart } from '../charts/line-chart.tsx';
import { lane } from '../engine/lane.ts';
import { sixDigitEnd } from '../words/numbers.ts';
import type { ComposeContract } from './contract.ts';

interface Question {
  readonly schedule: readonly ScheduledRounds[];
  readonly target: Target;
}

const worker = lane<ComposeContract>('compose', 'stop');
interface CurvePoint {
  readonly rounds: number;
  readonly account: ComposedAccount;
}

const points = signal<{ readonly key: string; readonly at: readonly CurvePoint[] }>({
  key: '',
  at: [],
});

/** In order of rounds; a sharper account takes the place of the one before. */
function withPoint(at: readonly CurvePoint[], point: CurvePoint): CurvePoint[] {
  return [...at.filter(({ rounds }) => rounds !== point.rounds), point].toSorted(
    (a, b) => a.rounds - b.rounds,
  );
}

export function ComposeChart({
  question,
  isWhole,
  asked,
}: {
  readonly question: Question;
  readonly isWhole: boolean;
  readonly asked: 'epsilon' | 'delta';
}): JSX.Element | null {
  const key = JSON.stringify(question);
  const total = question.schedule.reduce((sum, { rounds }) => sum + rounds, 0);
  useEffect(() => {
    // The bracket of all rounds goes first: two long questions at once would slow each other down.
    if (!isWhole || total < 2) return worker.cancel();
    if (points.peek().key === key) return undefined;
    points.value = { key, at: [] };
    worker.ask(
      'curve',
      { ...question, counts: countsUpTo(total) },
      {
        answer: (point) => (points.value = { key, at: withPoint(points.peek().at, point) }),
      },
    );
    return undefined;
  }, [key, isWhole]);
  const { at } = points.value;
  if (total < 2 || at.length < 2) return null;
  const band = at.map(({ rounds, account }) => ({ x: rounds, ...account.bracket }));
  const theorems = ['basic', 'advanced'].map((name) => ({
    name: `${name} composition`,
    points: at.flatMap(({ rounds, account }) => {
      const bound = account.bounds.find((candidate) => candidate.name === name);
      return bound === undefined || bound.value === null || bound.verdict === null || bound.value === Infinity
        ? []
        : [{ x: rounds, y: bound.value, manner: bound.verdict }];
    }),
  }));
  const values = [
    ...band.flatMap(({ lower, upper }) => [lower, upper]),
    ...theorems.flatMap((line) => line.points.map(({ y }) => y)),
  ];
  return (
    <section>
      <div class="chart-head">
        <h2>{asked} along the rounds of this schedule</h2>
      </div>
      <LineChart
        description={`Certified ${asked} grows from ${sixDigitEnd(band[0]!.upper, 'upper')} after ${band[0]!.x} to ${sixDigitEnd(band.at(-1)!.upper, 'upper')} after ${band.at(-1)!.x} rounds; basic and advanced composition lie above it.`}
        x={{ low: 1, high: total, isLogarithmic: total > 20 }}
        y={spanningAxis(values, true)}
        xTitle="rounds"
        yTitle={asked}
        band={band}
        bandName="certified"
        lines={theorems.filter((line) => line.points.length > 0)}
        marked={total}
        digits={6}
      />
    </section>
  );
}

const POINTS = 9;

function countsUpTo(total: number): number[] {
  const counts = Array.from({ length: POINTS }, (_, i) => Math.round(total ** (i / (POINTS - 1))));
  // The ends first, so that the axes stand.
  return [...new Set([total, 1, ...counts])];
}
