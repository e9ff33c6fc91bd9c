import { describe, expect, it } from 'vitest';
import { plan } from '@shuffle-dp/experiments/plan';
import { mapCell, mapDelta, MAP_RULES, type MapWinner } from '../../src/map/map-cell.ts';
import { errorRatio, mapCharts } from '../../src/map/map-charts.ts';

const PLACE = { task: 'mean', users: 1000, epsilon: 1 } as const;

describe('a place of the map', () => {
  const cell = mapCell(PLACE);

  it('has the protocol that a plan within the limits of a rule puts first', () => {
    const delta = mapDelta(PLACE.users);
    expect(delta).toBe(1e-5);
    const [{ rule, best, second }] = cell.winners as [MapWinner];
    const [first, next] = plan({ ...PLACE, delta, limits: { messages: rule.messages } }).rows;
    expect(best).toEqual(first);
    expect(second?.error).toBe(next?.error);
  });

  it('errs no more the more is allowed', () => {
    const errors = cell.winners.map(({ best }) => best!.error);
    expect(errors).toEqual(errors.toSorted((a, b) => b - a));
    expect(errorRatio(cell, 0, 1)).toBeGreaterThan(1);
  });

  it('is a mark of its winner, and of no other, in the chart of every rule', () => {
    const map = { id: 'map.x', title: 'X', subtitle: 'x', upright: 'epsilon' } as const;
    const charts = mapCharts(map, [cell]);
    expect(charts).toHaveLength(MAP_RULES.length + 1);
    MAP_RULES.forEach((_, r) => {
      const [panel] = charts[r]!.chart.panels;
      const marked = panel!.series.filter(({ points }) => points.length > 0);
      expect(marked.map(({ name }) => name)).toEqual([cell.winners[r]!.best!.protocol]);
      expect(marked[0]!.points).toEqual([{ x: 1000, y: 1 }]);
      expect(panel!.series).toEqual(marked);
      expect(charts[r]!.chart.y.ticks).toEqual([1]);
    });
  });

  it('is empty where no protocol is left', () => {
    const { winners } = mapCell({ task: 'sets', users: 1000, domain: 4, items: 4, epsilon: 1 });
    expect(winners.map(({ best }) => best)).toEqual([null, null, null]);
  });
});
