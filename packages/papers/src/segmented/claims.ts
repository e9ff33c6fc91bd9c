/**
 * What S. Wang et al., "Segmented Private Data Aggregation in the Multi-message Shuffle Model" (2025), find
 * in Section 6.
 */
import type { ResultTable } from '../figures/figure-table.ts';
import type { Claim, Finding } from '../claims/claim.ts';
import { digits, median, percentRange, tableOf } from '../claims/table-values.ts';
import {
  WEIGHTED,
  FIGURES,
  type Panel,
  errorIn,
  errorOf,
  chosen,
  nameOf,
  FLAT,
  optimumOf,
  excessAt,
  panelBeside,
  panelsOf,
} from './panels.ts';

const PAPER = 'segmented';

export const SEGMENTED_CLAIMS: readonly Claim[] = [
  {
    id: 'seg.optimal-m.msnbc',
    paper: PAPER,
    source: 'Section 6.1, Figure 2',
    figures: ['seg.fig2'],
    published: 'MSNBC, levels S1: the least error is at about m = 2.0 for 5,000 users and 0.3 for 50,000.',
    criterion: `at the printed m the expected error is at most ${FLAT} % above its least one (grid of 16 values from 0.1 to 20)`,
    async measure(context) {
      const panels = await panelsOf(context, ['seg.fig2']);
      return optimaFinding(
        panels,
        { 5000: 2, 50_000: 0.3 },
        'The data are drawn from a fit to MSNBC, not the log itself. The error is flat near its least, so that 100 trials cannot tell neighbouring values of the grid apart.',
      );
    },
  },
  {
    id: 'seg.optimal-m.synthetic',
    paper: PAPER,
    source: 'Section 6.1, Figure 3',
    figures: ['seg.fig3'],
    published:
      'Synthetic sets over 128 items, levels S1: about m = 4.0 for 5,000 users and 1.0 for 50,000 with 4 items; larger with 8 items.',
    criterion: 'as for MSNBC, and both optima are larger with 8 items',
    async measure(context) {
      const panels = await panelsOf(context, ['seg.fig3']);
      const four = panels.filter(({ items }) => items === 4);
      const eight = panels.filter(({ items }) => items === 8);
      const finding = optimaFinding(
        four,
        { 5000: 4, 50_000: 1 },
        'The error is flat near its least. For 50,000 users our optimum is nearer to 2 than to 1, so that the printed m holds in this sense of "about" only.',
      );
      const larger = eight.every(
        (panel) => optimumOf(panel).expected > optimumOf(panelBeside(four, panel, { items: 4 })).expected,
      );
      const withEight = eight.map(
        (panel) => `${optimumOf(panel).expected} at n = ${panel.users.toLocaleString('en')}`,
      );
      return {
        ...finding,
        verdict: larger ? finding.verdict : 'differs',
        measured: `${finding.measured} With 8 items: ${withEight.join(' and ')}.`,
        evidence: optimaEvidence(panels),
      };
    },
  },
  {
    id: 'seg.reduction',
    paper: PAPER,
    source: 'Abstract, Sections 6.1 and 6.4',
    figures: FIGURES,
    published:
      'At the best m the error is about 70 % below that of existing approaches in Figures 2 and 3, and about 50 % below it over all settings.',
    criterion:
      'the median over competitors and panels is within 10 points of 70 % in Figures 2 and 3, and at least 40 % over Figures 2 to 6; against the best competitor of each panel besides',
    async measure(context) {
      const panels = await panelsOf(context, FIGURES);
      const rows = panels.flatMap((panel) => {
        const own = errorOf(chosen(panel.own));
        return [...panel.competitors, panel.original].map((rival) => ({
          panel,
          protocol: rival.text('protocol'),
          error: errorOf(rival),
          reduction: 100 * (1 - own / errorOf(rival)),
          best: rival === chosen(panel.competitors),
          original: rival === panel.original,
        }));
      });
      const drawn = rows.filter(({ original }) => !original);
      const reductions = (kept: typeof rows) => kept.map(({ reduction }) => reduction);
      const early = reductions(drawn.filter(({ panel }) => panel.setting === 'S1'));
      const best = drawn.filter((row) => row.best);
      const holds = Math.abs(median(early) - 70) <= 10 && median(reductions(drawn)) >= 40;
      return {
        verdict: holds ? 'reproduced' : 'differs',
        measured: `Against the competitors as drawn, Figures 2 and 3: median ${percentRange(early)}; all panels: median ${percentRange(reductions(drawn))}. Against the best one of a panel: Figures 2 and 3 ${percentRange(reductions(best.filter(({ panel }) => panel.setting === 'S1')))}, all ${percentRange(reductions(best))}. Against balls into bins as its own paper accounts it: ${percentRange(reductions(rows.filter(({ original }) => original)))}.`,
        note: 'The paper does not say against which of the existing approaches. Balls into bins is drawn with numerical accounting, item by item, which needs far fewer blankets than its first closed form; with 50,000 MSNBC users, run for the strictest level alone, it is as good as the segmented protocol with levels S1 and better with S2.',
        evidence: tableOf(rows, {
          panel: ({ panel }) => nameOf(panel),
          competitor: 'protocol',
          'its error': ['error', 3],
          'reduction %': ({ reduction }) => Number(reduction.toFixed(1)),
          'best of the panel': ({ best: isBest }) => (isBest ? 'yes' : ''),
        }),
      };
    },
  },
  {
    id: 'seg.users',
    paper: PAPER,
    source: 'Section 6.2',
    figures: ['seg.fig2'],
    published:
      'MSNBC, levels S1: the least error at 50,000 users is about 1/30 of that at 5,000, between 1/10 and 1/100.',
    criterion: 'between 1/20 and 1/45',
    async measure(context) {
      const panels = await panelsOf(context, ['seg.fig2']);
      const errorAt = (users: number): number =>
        errorOf(chosen(panels.find((panel) => panel.users === users)!.own));
      const ratio = errorAt(5000) / errorAt(50_000);
      return {
        verdict: ratio > 20 && ratio < 45 ? 'reproduced' : 'differs',
        measured: `1/${ratio.toFixed(1)}: ${digits(errorAt(5000))} and ${digits(errorAt(50_000))}.`,
        note: 'Ten times as many users divide the sampling error by ten and let each of them send fewer blankets.',
        evidence: {
          columns: ['users', 'error at the best m'],
          rows: [5000, 50_000].map((users) => [users, Number(digits(errorAt(users), 4))]),
        },
      };
    },
  },
  {
    id: 'seg.settings',
    paper: PAPER,
    source: 'Section 6.3, Figures 4 to 6',
    figures: ['seg.fig4', 'seg.fig5', 'seg.fig6'],
    published:
      'The gap between the segmented protocol and Weighted SepMM is larger in S3, with more liberal users, than in S2.',
    criterion: 'the ratio of both least errors is larger in S3 for MSNBC at both numbers of users',
    async measure(context) {
      const panels = await panelsOf(context, ['seg.fig4', 'seg.fig5', 'seg.fig6']);
      const gapIn = (panel: Panel): number => errorIn(panel, WEIGHTED) / errorOf(chosen(panel.own));
      const pairs = panels
        .filter(({ setting }) => setting === 'S2')
        .map((panel) => ({
          name: `${panel.items} of ${panel.domain}, n = ${panel.users.toLocaleString('en')}`,
          domain: panel.domain,
          second: gapIn(panel),
          third: gapIn(panelBeside(panels, panel, { setting: 'S3' })),
        }));
      const larger = pairs.filter(({ second, third }) => third > second);
      const msnbc = pairs.filter(({ domain }) => domain === 17);
      const holds = msnbc.every(({ second, third }) => third > second);
      return {
        verdict: holds ? 'reproduced' : 'differs',
        measured: `Larger in S3 in ${larger.length} of ${pairs.length} settings; MSNBC: ${msnbc.map(({ name, second, third }) => `${name}: ${second.toFixed(2)} in S2, ${third.toFixed(2)} in S3`).join('; ')}.`,
        note: 'Gap: the error of Weighted SepMM over that of the segmented protocol at its best m.',
        evidence: tableOf(pairs, {
          'data and users': 'name',
          'ratio in S2': ({ second }) => Number(second.toFixed(3)),
          'ratio in S3': ({ third }) => Number(third.toFixed(3)),
        }),
      };
    },
  },
  {
    id: 'seg.messages',
    paper: PAPER,
    source: 'Section 6.4',
    figures: FIGURES,
    published: 'The optimal m is often below 4, and falls with the number of users.',
    criterion:
      'at most 4 in more than half of the panels of Figures 2 to 6, and smaller at 50,000 users than at 5,000 in each of them',
    async measure(context) {
      const panels = await panelsOf(context, FIGURES);
      const few = panels.filter((panel) => optimumOf(panel).expected <= 4).length;
      const pairs = panels
        .filter(({ users }) => users === 5000)
        .map((panel) => {
          const more = panelBeside(panels, panel, { users: 50_000 });
          return [optimumOf(panel).expected, optimumOf(more).expected] as const;
        });
      const falling = pairs.filter(([at5000, at50000]) => at50000 < at5000).length;
      const level = pairs.filter(([at5000, at50000]) => at50000 === at5000).length;
      return {
        verdict: few > panels.length / 2 && falling === pairs.length ? 'reproduced' : 'differs',
        measured: `At most 4 in ${few} of ${panels.length} panels; falls in ${falling} of ${pairs.length} pairs${level > 0 ? ` and stays in ${level}` : ''}.`,
        note: 'Judged by measured errors it would differ: the least of 100 noisy trials is at the same m for one pair.',
        evidence: optimaEvidence(panels),
      };
    },
  },
];

function optimaFinding(
  panels: readonly Panel[],
  printed: Readonly<Record<number, number>>,
  note: string,
): Finding {
  const excesses = panels.map((panel) => excessAt(panel, printed[panel.users]!));
  const found = panels.map((panel, i) => {
    const { measured, expected } = optimumOf(panel);
    return `n = ${panel.users.toLocaleString('en')}: least measured error at m = ${measured}, least expected error at m = ${expected}; at the printed ${printed[panel.users]} it is ${excesses[i]!.toFixed(0)} % above`;
  });
  return {
    verdict: excesses.every((excess) => excess <= FLAT) ? 'reproduced' : 'differs',
    measured: `${found.join('. ')}.`,
    note,
    evidence: optimaEvidence(panels),
  };
}

function optimaEvidence(panels: readonly Panel[]): ResultTable {
  return {
    columns: ['panel', 'm of the least measured error', 'of the least expected error', 'error at the latter'],
    rows: panels.map((panel) => {
      const { measured, expected } = optimumOf(panel);
      return [nameOf(panel), measured, expected, Number(digits(errorOf(chosen(panel.own)), 4))];
    }),
  };
}
