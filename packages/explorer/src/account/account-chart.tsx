/** The certified band and the chosen bounds along one parameter. */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { setFields } from '../address/current-address.ts';
import { spanningAxis, type Axis } from '../charts/axis.ts';
import { LineChart, type ChartLine } from '../charts/line-chart.tsx';
import { sixDigitEnd, sixDigits } from '../words/numbers.ts';
import * as model from './account-model.ts';
import type { CurvePoint } from './contract.ts';
import { presentValue, type CurveAxis } from './curve-axis.ts';

export function AccountChart(): JSX.Element | null {
  const id = useId();
  const state = model.state.value!;
  const axis = model.axis.value;
  const setting = model.setting.value;
  if (axis === null || setting === null || model.refusal.value !== null) return null;
  const points = model.curve.value;
  const asked = state.given === 'delta' ? 'epsilon' : 'delta';
  const band = points.map(({ x, bracket }) => ({ x, ...bracket })).filter(({ upper }) => upper < Infinity);
  const lines = linesOf(points, state.drawn);
  const y = valuesAxis(band, lines, model.shown.value?.account.bracket.upper);
  const present = presentValue(setting, axis.over);
  return (
    <section>
      <div class="chart-head">
        <h2>
          {asked} along{' '}
          <label for={id} class="visually-hidden">
            what the chart goes over
          </label>
          <select
            id={id}
            value={axis.over}
            onChange={(event) => setFields({ over: event.currentTarget.value })}
          >
            {model.axes.value.map(({ over, title }) => (
              <option key={over} value={over}>
                {title}
              </option>
            ))}
          </select>
          {model.work.value !== '' && <span class="work">{model.work.value}</span>}
        </h2>
        <ul class="legend">
          <li class="certified-key">certified band</li>
          <li class="published-key">a bound that holds</li>
          <li class="unproven-key">not proved here</li>
          <li class="refuted-key">a data set exceeds it</li>
        </ul>
      </div>
      <LineChart
        // What the cursor points at is a value of this axis.
        key={axis.over}
        description={describe(asked, axis, band, lines)}
        x={xAxis(axis)}
        y={y}
        xTitle={axis.title}
        yTitle={asked}
        band={band}
        bandName="certified"
        lines={lines}
        {...(present === undefined ? {} : { marked: present })}
        digits={6}
      />
      <details>
        <summary>The numbers of this chart</summary>
        <div class="scroll" tabIndex={0} role="region" aria-label="Numbers of the chart">
          <table>
            <thead>
              <tr>
                <th scope="col" class="number">
                  {axis.title}
                </th>
                <th scope="col" class="number">
                  certified lower
                </th>
                <th scope="col" class="number">
                  certified upper
                </th>
                {lines.map(({ name }) => (
                  <th key={name} scope="col" class="number">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {band.map(({ x, lower, upper }) => (
                <tr key={x}>
                  <td class="number">{sixDigits(x)}</td>
                  <td class="number">{sixDigitEnd(lower, 'lower')}</td>
                  <td class="number">{sixDigitEnd(upper, 'upper')}</td>
                  {lines.map(({ name, points: values }) => {
                    const point = values.find((candidate) => candidate.x === x);
                    return (
                      <td key={name} class="number">
                        {point === undefined
                          ? '–'
                          : `${point.manner === 'certified' ? sixDigitEnd(point.y, 'upper') : sixDigits(point.y)}${point.manner === 'refuted' ? ' refuted' : ''}`}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}

function linesOf(points: readonly CurvePoint[], drawn: ReadonlySet<string>): ChartLine[] {
  return [...drawn].map((name) => ({
    name,
    points: points.flatMap(({ x, bounds }) => {
      const bound = bounds.find((candidate) => candidate.name === name);
      if (bound === undefined || bound.value === null || bound.verdict === null || !(bound.value > 0))
        return [];
      return bound.value < Infinity ? [{ x, y: bound.value, manner: bound.verdict }] : [];
    }),
  }));
}

function xAxis({ scale }: CurveAxis): Axis {
  return { low: scale.valueAt(0), high: scale.valueAt(scale.last), isLogarithmic: scale.isLogarithmic };
}

/**
 * Bounds that are far off do not press what is certified into a line; nor do divergences close to none, other
 * than the present one.
 */
const [MOST_ABOVE, LEAST_SHOWN] = [30, 1e-40];

function valuesAxis(
  band: readonly { readonly lower: number; readonly upper: number }[],
  lines: readonly ChartLine[],
  present = Infinity,
): Axis {
  const ends = band.flatMap(({ lower, upper }) => (lower > upper / 1e3 ? [lower, upper] : [upper]));
  const most = Math.max(...ends, 0);
  const least = Math.min(LEAST_SHOWN * most, present / 10);
  const certified = ends.filter((value) => value >= least);
  const near = lines
    .flatMap(({ points }) => points.map(({ y }) => y))
    .filter((value) => value <= MOST_ABOVE * most && value >= least);
  return spanningAxis([...certified, ...near], true);
}

function describe(
  asked: string,
  { title }: CurveAxis,
  band: readonly { readonly x: number; readonly upper: number }[],
  lines: readonly ChartLine[],
): string {
  const [first, last] = [band[0], band.at(-1)];
  if (first === undefined || last === undefined) return `${asked} along ${title}; no points yet.`;
  const failing = lines.filter(({ points }) => points.some(({ manner }) => manner === 'refuted'));
  const course = `Certified ${asked} goes from ${sixDigitEnd(first.upper, 'upper')} at ${title} ${sixDigits(first.x)} to ${sixDigitEnd(last.upper, 'upper')} at ${sixDigits(last.x)}.`;
  const failed =
    failing.length === 0 ? '' : ` Exceeded by a data set: ${failing.map(({ name }) => name).join(', ')}.`;
  return `${course} Beside it: ${lines.map(({ name }) => name).join(', ') || 'nothing'}.${failed}`;
}
