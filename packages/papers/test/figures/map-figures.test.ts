import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { plan } from '@shuffle-dp/experiments/plan';
import { mapCell, mapDelta, MAP_RULES, type MapWinner } from '../../src/map/map-cell.ts';
import { markedTable } from '../../../cli/test/docs/markdown-table.ts';
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

describe('the page of the map', () => {
  const page = readFileSync(new URL('../../../../docs/map.md', import.meta.url), 'utf8');
  const table = markedTable(page, 'frequencies');
  const isQuick = ([users, categories]: readonly string[]): boolean =>
    users === '100,000' && categories === '2';
  const numberOf = (cell: string): number => Number(cell.replaceAll(',', ''));

  /** Name, error and messages of each rule's best, as the page has them. */
  const cellsAt = (users: string, domain: string): string[] =>
    mapCell({
      task: 'frequencies',
      users: numberOf(users),
      domain: numberOf(domain),
      epsilon: 1,
    }).winners.map(({ best }) => {
      const { protocol, error, messages } = best!;
      const name = protocol.replace('Generalized ', '').replace(' (augmented shuffler)', '');
      const digits = Number(error.toPrecision(3));
      // Three digits, and four next to one.
      const sent = Number(messages.toPrecision(messages < 1.005 ? 4 : 3));
      return `${name} ${digits < 1e-4 ? digits.toExponential() : digits}${sent === 1 ? '' : ` (${sent})`}`;
    });

  it.each(table.filter(isQuick))(
    'has what a plan finds: %s users, %s categories',
    (users, domain, ...cells) => expect(cellsAt(users!, domain!)).toEqual(cells),
  );

  it.each(table.filter((row) => !isQuick(row)))(
    'has what a plan finds: %s users, %s categories',
    { tags: 'long' },
    (users, domain, ...cells) => expect(cellsAt(users!, domain!)).toEqual(cells),
  );

  it('has nine places', () => expect(table).toHaveLength(9));
});
