/** How the privacy of a schedule grows with its rounds. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { spanningAxis } from '../charts/axis.ts';
import { LineChart } from '../charts/line-chart.tsx';
import { sixDigitEnd } from '../words/numbers.ts';
import { askCurve, cancelCurve, pointsOf, type CurveQuestion } from './compose-curve.ts';

export function ComposeChart({
  question,
  isWhole,
  asked,
}: {
  readonly question: CurveQuestion;
  readonly isWhole: boolean;
  readonly asked: 'epsilon' | 'delta';
}): JSX.Element | null {
  const key = JSON.stringify(question);
  const total = question.schedule.reduce((sum, { rounds }) => sum + rounds, 0);
  useEffect(() => {
    // The bracket of all rounds goes first: two long questions at once would slow each other down.
    if (!isWhole || total < 2) cancelCurve();
    else askCurve(question);
  }, [key, isWhole]);
  const at = pointsOf(question);
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
