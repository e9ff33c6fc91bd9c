import { describe, expect, it } from 'vitest';
import { accountMechanism } from '../../src/account/account.ts';
import { MECHANISMS } from '../../src/account/mechanisms.ts';
import { accountJson } from '../../../cli/src/output/account-json.ts';
import { accountText } from '../../../cli/src/output/account-text.ts';
import { exampleAccount } from './example-accounts.ts';

interface Written {
  readonly bounds: readonly {
    readonly name: string;
    readonly epsilon: number | null;
    readonly reason?: string;
    readonly conditions?: readonly { statement: string; given: string; holds: boolean }[];
    readonly citation?: string;
  }[];
  readonly citations?: readonly { readonly key: string; readonly bibtex: string }[];
}

function written(name: string, explain: boolean, cite: boolean): Written {
  return JSON.parse(JSON.stringify(accountJson(exampleAccount(name), { explain, cite }))) as Written;
}

describe('an account in JSON', () => {
  it('has conditions and citations only where they are asked for', () => {
    const plain = written('grr', false, false);
    expect(plain.citations).toBeUndefined();
    expect(plain.bounds.every((bound) => !('conditions' in bound) && !('citation' in bound))).toBe(true);
  });

  it.each(MECHANISMS)('explains and cites every bound of $name', ({ name, citation }) => {
    const { bounds, citations } = written(name, true, true);
    const keys = citations!.map(({ key }) => key);
    expect(keys).toContain(citation);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { key, bibtex } of citations!)
      expect(bibtex.split('\n')[0]).toMatch(new RegExp(`^@\\w+\\{${key},$`, 'u'));
    for (const bound of bounds) {
      expect(keys).toContain(bound.citation);
      expect(bound.conditions!.length).toBeGreaterThan(0);
      const broken = bound.conditions!.filter(({ holds }) => !holds);
      // A bound has a value exactly where its conditions hold; it may be infinite.
      if (bound.reason === 'no finite value') continue;
      expect({ name: bound.name, silent: bound.epsilon === null }).toEqual({
        name: bound.name,
        silent: broken.length > 0,
      });
      for (const { statement, given } of broken)
        expect(bound.reason).toContain(statement === broken[0]!.statement ? given : '');
    }
  });
});

describe('an account as text', () => {
  it('marks the conditions that hold and those that do not, and says what to make of a bound', () => {
    const account = accountMechanism('grr', { epsilon0: 1, domain: 16 }, 10_000, { delta: 1e-6 });
    const text = accountText(account, { explain: true, cite: true });
    expect(text).toContain('  ✗ epsilon0 < 1/2: epsilon0 = 1\n  ✓ n >= 1000: n = 10000\n');
    expect(text).toContain('  says nothing here: needs epsilon0 < 1/2, but epsilon0 = 1\n');
    expect(text).toMatch(/gives 0\.0185893, refuted here; refuted in general: the victim's leftover/u);
    expect(text).toMatch(/gives 0\.0432062, holds here; sound in general\n/u);
    expect(text).toContain(
      '  counterexample: shuffle-dp account grr --epsilon0 4 --domain 4 --users 100 --delta 1e-4: states 3.562, a data set has at least 3.978\n',
    );
    expect(text).toContain('@inproceedings{kairouz2016,');
    expect(accountText(account, { explain: false, cite: false })).not.toContain('✓');
  });
});
