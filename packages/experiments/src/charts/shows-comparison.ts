import { drawable } from './axes.ts';
import type { Chart } from './chart.ts';

/** Whether a chart shows more than its tables: in some panel, values at two places or more. */
export function showsComparison({ panels, x, y }: Chart): boolean {
  return panels.some(({ series }) => {
    const drawn = series.flatMap(({ points }) =>
      points.filter((point) => drawable(point.x, x) && drawable(point.y, y)),
    );
    const places = drawn.map((point) => (x.names ? Math.round(point.x) : point.x));
    return new Set(places).size > 1;
  });
}
