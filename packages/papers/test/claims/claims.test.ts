/**
 * The committed ledger is that of the code: every claim has a verdict, and the quick ones are measured again.
 */
import { describe, expect, it } from 'vitest';
import { ledgerSections } from '../../src/claims/ledger.ts';
import { verdictsOn } from '../../src/claims/committed-ledger.ts';
import { CLAIMS } from '../../src/claims/registry.ts';
import { savings } from '../../src/claims/savings.ts';
import { rowsOf } from '../../src/claims/table-values.ts';
import { FIGURES } from '../../src/figures/registry.ts';
import { committed, ledger, measuredAgain } from './as-committed.ts';

/** What must be in the ledger, whatever the registry says. */
const WANTED: Readonly<Record<string, readonly string[]>> = {
  vr: [
    'table5',
    'table5.time',
    'table5.ten-steps',
    'table1',
    'table2',
    'table3',
    'table4',
    'closed-forms.originals',
    'fig5.separate',
    'fig1',
    'fig2',
    'fig3',
    'fig4',
    'fig5',
    'tight',
    'soundness',
    'closed-form',
    'parallel-code',
    'tightness',
  ],
  comp: ['fig2', 'soundness', 'fig3', 'fig4', 'algorithm'],
  seg: [
    'optimal-m.msnbc',
    'optimal-m.synthetic',
    'reduction',
    'users',
    'settings',
    'settings.errors',
    'messages',
    'soundness',
    'levels',
    'integer-blankets',
  ],
  apes: [
    'table3',
    'table4',
    'fig2',
    'fig4',
    'fig5',
    'fig6',
    'neighbour-divergence',
    'convergence',
    'soundness',
  ],
  hps: ['table2', 'fig3', 'fig4', 'trade-off', 'soundness'],
  personalised: ['worst-victim'],
  canonical: ['augmented-rr'],
};

/** Those that need neither figures nor the time of day, nor seconds. */
const QUICK = [
  'vr.table5',
  'vr.table5.ten-steps',
  'vr.table1',
  'vr.table2',
  'vr.table3',
  'vr.table4',
  'vr.tight',
  'vr.closed-form',
  'vr.tightness',
  'comp.algorithm',
  'seg.soundness',
  'apes.neighbour-divergence',
  'apes.convergence',
  'apes.soundness',
  'hps.table2',
  'hps.fig3',
  'hps.soundness',
  'personalised.worst-victim',
  'canonical.augmented-rr',
];

describe('the ledger', () => {
  it('has every claim, in the order of the registry', () => {
    const ids = CLAIMS.map(({ id }) => id);
    const wanted = Object.entries(WANTED).flatMap(([paper, names]) =>
      names.map((name) => `${paper}.${name}`),
    );
    expect(ids.toSorted()).toEqual(wanted.toSorted());
    expect(ledger.claims.map(({ id }) => id)).toEqual(ids);
  });

  it.each(ledger.claims)(
    '$id: has a verdict, a measurement, a reason and numbers',
    ({ verdict, measured, note, evidence }) => {
      expect(['reproduced', 'differs', 'refuted']).toContain(verdict);
      expect(measured.length).toBeGreaterThan(10);
      expect(note.length).toBeGreaterThan(20);
      expect(evidence.rows.length).toBeGreaterThan(0);
      for (const row of evidence.rows) {
        expect(row).toHaveLength(evidence.columns.length);
        expect(row).not.toContain(null);
      }
      expect(`${measured}${note}`).not.toMatch(/undefined|NaN/u);
    },
  );

  it.each(CLAIMS)(
    '$id: says what the code says of the paper',
    ({ id, paper, source, published, criterion }) => {
      expect(ledger.claims.find((entry) => entry.id === id)).toMatchObject({
        paper,
        source,
        published,
        criterion,
      });
    },
  );

  it.each(QUICK)('%s is measured as committed', async (id) =>
    expect(committed(id)).toMatchObject(await measuredAgain(id)),
  );

  it('is written with one section per claim', () => {
    const sections = ledgerSections(ledger).filter((text) => text.startsWith('### '));
    expect(sections).toEqual(ledger.claims.map(({ id, verdict }) => `### \`${id}\`: ${verdict}`));
  });
});

describe('what claims are made of', () => {
  const table = {
    columns: ['epsilon: old', 'epsilon: older', 'epsilon: new'],
    rows: [
      [2, 1, 0.5],
      [1, '', 0.9],
      ['', '', 0.3],
    ],
  };

  it('savings are against the best of the baselines that say anything', () => {
    const saved = savings(table, 'new', ['old', 'older']);
    expect(saved).toHaveLength(2);
    expect(saved[0]).toBeCloseTo(50, 12);
    expect(saved[1]).toBeCloseTo(10, 12);
  });

  it('a column that is not there is an error', () => {
    expect(() => rowsOf(table)[0]!.number('epsilon: none')).toThrow('no column epsilon: none');
    expect(() => rowsOf(table)[1]!.number('epsilon: older')).toThrow('is no number');
  });

  it('claims name figures that exist, and the gallery finds what became of them', () => {
    const ids = FIGURES.map(({ id }) => id);
    for (const { figures } of ledger.claims) expect(ids).toEqual(expect.arrayContaining([...figures]));
    expect(verdictsOn(ledger, 'vr.fig5').map(({ verdict }) => verdict)).toEqual([
      'refuted',
      'differs',
      'refuted',
    ]);
    expect(verdictsOn(ledger, 'apes.fig9')[0]).toMatchObject({ verdict: 'reproduced', tone: 'good' });
    expect(verdictsOn(ledger, 'comp.vectors')).toEqual([]);
  });
});
