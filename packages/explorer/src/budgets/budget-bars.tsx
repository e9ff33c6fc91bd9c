/** How many users have which budget, and the certified epsilon of each level. */
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { PersonalizedAccount } from '@shuffle-dp/experiments/personalized';
import { spanningAxis } from '../charts/axis.ts';
import { LineChart } from '../charts/line-chart.tsx';
import { useWidth } from '../charts/use-width.ts';
import { fourDigits, sixDigitEnd } from '../words/numbers.ts';

const HEIGHT = 90;

export interface BudgetBarsProps extends Pick<PersonalizedAccount, 'groups'> {
  readonly low: number;
  readonly high: number;
  readonly histogram: readonly number[];
  readonly isGaussian: boolean;
}

export function BudgetBars({ low, high, histogram, groups, isGaussian }: BudgetBarsProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 700);
  const most = Math.max(...histogram, 1);
  const bar = width / histogram.length;
  const points = groups.map(({ budget, epsilon }) => ({ x: budget, ...epsilon })).sort((a, b) => a.x - b.x);
  const band = points.filter(({ upper }) => upper < Infinity);
  return (
    <section>
      <h2>The budgets as drawn</h2>
      <div ref={box}>
        <svg
          class="bars"
          width={width}
          height={HEIGHT}
          role="img"
          aria-label={`Users by budget, from ${fourDigits(low)} to ${fourDigits(high)} nats; the largest step holds ${most} users.`}
        >
          {histogram.map((count, i) => (
            <rect
              key={i}
              x={i * bar + 0.5}
              width={Math.max(1, bar - 1)}
              y={HEIGHT - ((HEIGHT - 4) * count) / most}
              height={((HEIGHT - 4) * count) / most}
            />
          ))}
        </svg>
        <p class="bar-ends">
          <span>{fourDigits(low)} nats</span>
          <span>{fourDigits(high)} nats</span>
        </p>
      </div>
      {band.length > 1 && (
        <>
          <div class="chart-head">
            <h2>certified epsilon of each level</h2>
          </div>
          <LineChart
            description={`Certified epsilon goes from ${sixDigitEnd(band[0]!.upper, 'upper')} for the smallest level to ${sixDigitEnd(band.at(-1)!.upper, 'upper')} for the largest.`}
            x={spanningAxis(
              band.map(({ x }) => x),
              false,
              0.02,
            )}
            y={spanningAxis(
              band.map(({ upper }) => upper),
              false,
            )}
            xTitle={isGaussian ? 'level' : 'local budget of the level'}
            yTitle="epsilon"
            band={[]}
            bandName="certified"
            lines={[
              {
                name: 'certified upper end',
                points: band.map(({ x, upper }) => ({ x, y: upper, manner: 'certified' as const })),
              },
            ]}
            digits={6}
          />
        </>
      )}
    </section>
  );
}
