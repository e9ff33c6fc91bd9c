import { describe, expect, it } from 'vitest';
import { amplificationCharts, type AmplificationFigure } from '../../src/figures/amplification-curves.ts';

/** One earlier bound of 1, and what is compared with it. */
function figureOf(epsilons: readonly number[]): AmplificationFigure {
  return {
    id: 'x.fig',
    title: 'X',
    subtitle: 'x',
    baseline: 'the earlier bound',
    axes: 'epsilon',
    xTitle: 'x',
    xName: 'x',
    settingNames: [],
    curves: [
      { name: 'earlier', style: 'line', role: 'earlier' },
      { name: 'ours', style: 'line', role: 'compared' },
    ],
    panels: [
      { title: '', setting: [], points: epsilons.map((epsilon, x) => ({ x, epsilons: [1, epsilon] })) },
    ],
  };
}

function savingDomain(epsilons: readonly number[]): readonly number[] {
  return amplificationCharts(figureOf(epsilons))[1]!.chart.y.domain!.map((end) => Number(end.toFixed(6)));
}

describe('the axis of what is saved', () => {
  it('begins at 0 and ends at a ten', () => {
    expect(savingDomain([0.65, 0.75])).toEqual([0, 40]);
  });

  it('leaves room beyond an end that a curve comes near, so that none lies on the frame', () => {
    expect(savingDomain([1, 0.55])).toEqual([-2.5, 50]);
    expect(savingDomain([0.5, 0.002])).toEqual([0, 105]);
    expect(savingDomain([1.095, 0.4])).toEqual([-13.5, 63.5]);
  });
});
