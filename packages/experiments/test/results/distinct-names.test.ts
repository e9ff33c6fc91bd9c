import { expect, it } from 'vitest';
import { distinctNames } from '../../src/results/distinct-names.ts';
import type { ExperimentConfig } from '../../src/config/schema.ts';

function namesOf(names: readonly string[], ...protocols: readonly object[]): string[] {
  const cells = names.map((protocol, series) => ({ series, protocol }));
  const config = { protocols } as unknown as Pick<ExperimentConfig, 'protocols'>;
  return cells.map(distinctNames(cells, config));
}

it('names stay as they are where no two protocols have the same', () => {
  const kind = 'anonymous-count';
  expect(namesOf(['A', 'B'], { kind }, { kind, signs: 'plus' })).toEqual(['A', 'B']);
});

it('namesakes are told by the fields in which they differ, and by those alone', () => {
  const kind = 'anonymous-count';
  expect(
    namesOf(
      ['A', 'A', 'A'],
      { kind, dispersion: 2 },
      { kind, dispersion: 2, signs: 'plus' },
      { kind, dispersion: 2, share: [0.5, 0.7], label: 'A' },
    ),
  ).toEqual(['A', 'A, signs plus', 'A, share 0.5/0.7']);
});

it('modules are told by their file and options', () => {
  const kind = 'own-randomizer';
  expect(
    namesOf(
      ['M', 'M'],
      { kind, module: 'a/one.mjs', options: { rate: 1 } },
      { kind, module: 'b/two.mjs', options: { rate: 2 } },
    ),
  ).toEqual(['M, module one.mjs, options {"rate":1}', 'M, module two.mjs, options {"rate":2}']);
});

it('the cells of one protocol keep one name', () => {
  const cells = [
    { series: 0, protocol: 'A' },
    { series: 0, protocol: 'A' },
  ];
  const named = distinctNames(cells, { protocols: [{ kind: 'anonymous-count' }] });
  expect(cells.map(named)).toEqual(['A', 'A']);
});
