/** How the estimates come nearer to the truth as users join. */
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { spanningAxis } from '../charts/axis.ts';
import { LineChart, type ChartLine } from '../charts/line-chart.tsx';
import { fourDigits } from '../words/numbers.ts';
import type { EstimateStep } from './contract.ts';

/** Of a normal law some 95 % lie within so many standard deviations. */
const DEVIATIONS = 1.96;

export function EstimateChart({ steps }: { readonly steps: readonly EstimateStep[] }): JSX.Element {
  const id = useId();
  const [chosen, setChosen] = useState(0);
  const last = steps.at(-1)!;
  const category = Math.min(chosen, last.truth.length - 1);
  const band = steps.map(({ users, truth, deviations }) => ({
    x: users,
    lower: truth[category]! - DEVIATIONS * deviations[category]!,
    upper: truth[category]! + DEVIATIONS * deviations[category]!,
  }));
  const line = (
    name: string,
    tone: 'strong' | 'reference',
    of: (step: EstimateStep) => number,
  ): ChartLine => ({
    name,
    tone,
    points: steps.map((step) => ({ x: step.users, y: of(step), manner: 'exact' as const })),
  });
  const lines = [
    line('estimate', 'strong', ({ estimates }) => estimates[category]!),
    line('truth', 'reference', ({ truth }) => truth[category]!),
  ];
  const values = [
    ...band.flatMap(({ lower, upper }) => [lower, upper]),
    ...lines.flatMap(({ points }) => points.map(({ y }) => y)),
  ];
  return (
    <section>
      <div class="chart-head">
        <h2>
          share of category{' '}
          <label for={id} class="visually-hidden">
            category
          </label>
          <select id={id} value={category} onChange={(event) => setChosen(Number(event.currentTarget.value))}>
            {last.truth.map((_, i) => (
              <option key={i} value={i}>
                {i}
              </option>
            ))}
          </select>{' '}
          as users join
        </h2>
      </div>
      <LineChart
        description={`With ${last.users} users category ${category} is estimated at ${fourDigits(last.estimates[category]!)}; ${fourDigits(last.truth[category]!)} of them hold it.`}
        // The fewest users are the first step and the last.
        x={{ low: steps[0]!.users, high: Math.max(last.users, steps[0]!.users + 1), isLogarithmic: true }}
        y={spanningAxis(values, false)}
        xTitle="users"
        yTitle="share"
        band={band}
        bandName="95 % of estimates"
        lines={lines}
        digits={4}
      />
      <div class="scroll" tabIndex={0} role="region" aria-label="Estimates of all categories">
        <table>
          <thead>
            <tr>
              <th scope="col">category</th>
              <th scope="col" class="number">
                truth
              </th>
              <th scope="col" class="number">
                estimate
              </th>
              <th scope="col" class="number">
                standard deviation
              </th>
            </tr>
          </thead>
          <tbody>
            {last.truth.map((share, i) => (
              <tr key={i}>
                <th scope="row">{i}</th>
                <td class="number">{fourDigits(share)}</td>
                <td class="number">{fourDigits(last.estimates[i]!)}</td>
                <td class="number">{fourDigits(last.deviations[i]!)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
