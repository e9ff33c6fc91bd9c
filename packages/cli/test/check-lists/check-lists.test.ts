/**
 * What CONTRIBUTING promises: a randomizer, a protocol, a bound or a data set is one file with a card, and
 * one line in a registry.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

// A process of its own: registries are read once.
const known = JSON.parse(
  execFileSync(
    process.execPath,
    [
      '--conditions=@shuffle-dp/source',
      '--import',
      import.meta.resolve('tsx'),
      join(import.meta.dirname, 'with-new-cards.ts'),
    ],
    { encoding: 'utf8' },
  ),
) as Readonly<Record<string, unknown>>;

describe('a mechanism that is one card and one line', () => {
  it('is accounted, here as randomized response at half the budget', () => {
    expect(known['half']).toEqual(known['plain']);
  });

  it('has its parameters refused by its card', () => {
    expect(known['refusal']).toBe('domain = 5000: must be an integer from 2 to 1024');
  });

  it('runs from a config', () => {
    expect(known['protocol']).toBe('Randomized response at half the budget');
  });

  it('is in the schema of configs and on the page of mechanisms', () => {
    expect(known).toMatchObject({ inSchema: true, onPage: true });
  });
});

describe('a protocol that is one card and one line', () => {
  it('runs from a config, and is in its schema', () => {
    expect(known['fixedProtocol']).toMatchObject({ randomizer: 'grr', epsilon0: 1 });
    expect(known['protocolInSchema']).toBe(true);
  });
});

describe('a bound that is one object and one line', () => {
  it('is evaluated and judged wherever an account is made', () => {
    expect(known['bounds']).toMatchObject([{ value: 1, sound: true, verdict: 'certified' }]);
  });
});

describe('a data set that is one card and one line', () => {
  it('is planned and drawn from', () => {
    expect(known['dataOfPlan']).toMatchObject({ holds: 'categories', domain: 8, users: 500 });
    const { histogram } = known['dataDrawn'] as { readonly histogram: Readonly<Record<string, number>> };
    // Of the weights 1, 1/8, 1/27 and so on the first has 0.84: 418 of 500 users, with a deviation of 8.3.
    expect(histogram['0']).toBeGreaterThan(340);
  });

  it('has its fields refused, and is in the schema of configs', () => {
    expect(known['dataRefusal']).toContain('domain');
    expect(known['dataInSchema']).toBe(true);
  });
});
