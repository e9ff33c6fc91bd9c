import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSchedule } from '../../src/account/schedule-file.ts';
import { parseLearningConfig } from '../../src/federated/learning-schema.ts';
import { parseForestConfig } from '../../src/forest/forest-schema.ts';
import { loadConfig, parseConfig } from '../../src/config/load-config.ts';
import { nearestName } from '../../src/words/nearest-name.ts';
import { VALID, CATEGORIES, refused, edited } from './sample-configs.ts';

describe('configs', () => {
  it('are read with defaults filled in', () => {
    const config = parseConfig(VALID, 'experiment.yaml');
    expect(config.simulation).toBe('aggregated');
    expect(config.postprocess).toBe('none');
    expect(config.measure).toBe('frequencies');
    expect(config.data).toEqual({ kind: 'msnbc-like', items: 4, padding: 'fill' });
    expect(config.seed).toBe('1');
  });

  it('may sweep a hierarchy and measure ranges', () => {
    const swept = '{ kind: range-queries, branching: [2, 4], accounting: variation-ratio }';
    const text = edited('{ kind: frequency, randomizer: grr }', swept, `${CATEGORIES}measure: ranges\n`);
    const config = parseConfig(text, 'experiment.yaml');
    expect(config.measure).toBe('ranges');
    expect(config.protocols[0]).toEqual({
      kind: 'range-queries',
      branching: [2, 4],
      accounting: 'variation-ratio',
    });
  });

  it('take trials and seed from the command line instead', () => {
    const config = parseConfig(VALID, 'experiment.yaml', { trials: 7, seed: 'other' });
    expect([config.trials, config.seed]).toEqual([7, 'other']);
  });

  it('may be JSON', () => {
    const json = JSON.stringify(parseConfig(CATEGORIES, 'experiment.yaml'));
    expect(parseConfig(json, 'experiment.json').privacy.epsilon).toBe(1);
  });

  it('that are no YAML are refused with the line', () => {
    expect(refused('name: [1\nseed: 2\n')).toMatch(
      /^ConfigError: experiment\.yaml: line \d+, column \d+: [^\n]+$/u,
    );
    expect(refused('name: a\nname: b\n')).toContain('line 2, column 1: name is given twice');
    expect(refused('data:\n  a: 1\n  "a": 2\n')).toContain('line 3, column 3: "a" is given twice');
    expect(refused('{"x": 1, "x": 2}')).toContain('line 1, column 10: "x" is given twice');
    expect(refused('name: a\n---\nname: b\n')).toContain(
      'line 2, column 1: a second document begins; a file must hold one',
    );
    expect(refused('name: a\nseed: *s\n')).toContain(
      'line 2, column 7: *s stands for nothing: no &s comes before it',
    );
    const tens = (name: string): string => `[${Array(10).fill(`*${name}`).join(', ')}]`;
    expect(refused(`a: &a [1]\nb: &b ${tens('a')}\nc: &c ${tens('b')}\nd: ${tens('c')}\n`)).toContain(
      'line 2, column 8: aliases of aliases, from here on, unfold to too many values',
    );
    expect(refused('seed: s\ndata: { <<: { kind: csv-sets }, path: a.csv }\n')).toContain(
      'experiment.yaml: line 2, column 9: << merges nothing here: write its fields out',
    );
    expect(refused('"<<": 1\n')).toContain('name is missing');
    expect(refused('- 1\n')).toContain('experiment.yaml: must be an experiment config');
    expect(refused('')).toContain('experiment.yaml: must be an experiment config');
  });

  it('of more than a hundred levels are refused, however they are written', () => {
    const lists = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const words = 'lists and groups of fields are nested too deeply: at most 100 may stand inside each other';
    // The document is a group of fields itself.
    expect(refused(`seed: ${lists(99)}\n`)).not.toContain('nested');
    const groups = `seed: ${'{a: '.repeat(10_000)}1${'}'.repeat(10_000)}\n`;
    for (const text of [
      `seed: ${lists(100)}\n`,
      `seed: ${lists(10_000)}\n`,
      `{"x":${lists(10_000)}}`,
      groups,
    ])
      expect(refused(text)).toMatch(
        new RegExp(`^ConfigError: experiment\\.yaml: line 1, column \\d+: ${words}$`, 'u'),
      );
  });

  it('of another command are sent there', () => {
    const forest = 'name: a\nheight: 3\ndata: { kind: csv }\n';
    expect(refused(forest)).toContain(
      'experiment.yaml: is a config for shuffle-dp forest, since it has height: not of the kind that is asked for here',
    );
    expect(refused('name: a\nframeworks: []\n')).toContain('is a config for shuffle-dp learn');
    expect(() => parseForestConfig(CATEGORIES, 'x.yaml')).toThrow('x.yaml: is a config for shuffle-dp run');
    expect(() => parseLearningConfig(forest, 'x.yaml')).toThrow('x.yaml: is a config for shuffle-dp forest');
  });

  it('that do not exist are refused', () => {
    expect(() => loadConfig('no/such.yaml')).toThrow('no/such.yaml: cannot be read: no such file or folder');
  });

  it('of this project are all valid', () => {
    const folder = join(import.meta.dirname, '../../../../configs');
    const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
    expect(files.length).toBeGreaterThanOrEqual(6);
    for (const file of files) {
      const config = loadConfig(join(folder, file));
      expect(`${config.name}.yaml`).toBe(file);
      expect(config.question).toBeDefined();
    }
  });
});

describe('labels', () => {
  const protocols = (...list: object[]): string =>
    refused(CATEGORIES.replace(/protocols: .*/u, `protocols: ${JSON.stringify(list)}`));
  const frequency = { kind: 'frequency' };

  it.each([
    [{ ...frequency, randomizer: 'oue' }, 'Optimized unary encoding'],
    [{ ...frequency, randomizer: ['grr', 'oue'] }, 'Optimized unary encoding'],
    [{ kind: 'own-randomizer', module: './some/own.mjs' }, 'own.mjs'],
  ])('that %j is shown by without one are refused: %s', (other, label) => {
    expect(protocols({ ...frequency, randomizer: 'grr', label }, other)).toContain(
      `protocols[0].label = "${label}": must be a label other than the default name of protocols[1]`,
    );
    expect(protocols({ ...frequency, randomizer: 'grr', label }, { ...other, label: 'b' })).toBe('accepted');
  });

  it('are not asked for where parameters tell protocols apart', () => {
    const grr = { ...frequency, randomizer: 'grr' };
    expect(protocols({ ...grr, accounting: 'blanket' }, { ...grr, accounting: 'sharpest' })).toBe('accepted');
    expect(protocols({ ...frequency, randomizer: ['grr', 'oue'] }, grr)).toBe('accepted');
  });
});

it('the width of a region is a length, that of a bump is a share', () => {
  const region = '{ kind: places-clusters, width: 2e6, height: 2e6, grid: 3 }';
  const places = CATEGORIES.replace(/data: .*/u, `data: ${region}`);
  expect(refused(places.replace(/protocols: .*/u, 'protocols: [{ kind: planar-laplace }]'))).toBe('accepted');
  const bump = '{ kind: categories-gaussian-bump, domain: 8, centre: 0.5, width: 2e6 }';
  expect(refused(CATEGORIES.replace(/data: .*/u, `data: ${bump}`))).toContain(
    'data.width = 2000000: must be at most 1000000',
  );
});

it('the schedule of this project is valid', () => {
  const file = join(import.meta.dirname, '../../../../configs/schedules/tree.yaml');
  expect(loadSchedule(file).reduce((sum, { rounds }) => sum + rounds, 0)).toBe(63);
});

describe('the nearest name', () => {
  it.each([
    ['trails', 'trials'],
    ['trials', 'trials'],
    ['blanketRat', 'blanketRate'],
    ['x', undefined],
    ['something', undefined],
  ])('of %s is %s', (given, name) => {
    expect(nearestName(given, ['trials', 'blanketRate', 'seed'])).toBe(name);
  });
});
