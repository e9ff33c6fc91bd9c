/**
 * Figures 3 and 4 of Wang et al., "Privacy Amplification via Shuffling: Unified, Simplified, and Tightened"
 * (PVLDB 17(8), 2024): multi-message histograms whose blanket messages are as many as their original analysis
 * asks for, accounted again.
 */
import { ballsIntoBinsMessages, cheuZhilyaevFlip, cheuZhilyaevVariance } from '@shuffle-dp/accounting';
import { accountMechanism, boundValue, type Account } from '@shuffle-dp/experiments/account';
import {
  curvesFigure,
  linearGrid,
  savingNote,
  type AmplificationCurve,
} from '../figures/amplification-curves.ts';
import type { Figure } from '../figures/figure.ts';

const CERTIFIED = 'certified, upper end';
const NUMERICAL = 'variation-ratio';
const ANALYTIC = 'variation-ratio, Theorem 4.2';
const REPAIRED = 'variation-ratio, Theorem 4.2 repaired';
const ASYMPTOTIC = 'variation-ratio, Theorem 4.3';

const CURVES = [
  { name: 'original analysis', style: 'line', role: 'earlier' },
  { name: ASYMPTOTIC, style: 'line', role: 'compared' },
  { name: ANALYTIC, style: 'line', role: 'compared' },
  // Dashed: it lies on the printed form in this range.
  { name: REPAIRED, style: 'theory', role: 'compared' },
  { name: CERTIFIED, style: 'line', colourKey: 'certified', role: 'compared' },
  // Last, and dashed: it lies on the certified upper end.
  { name: NUMERICAL, style: 'theory', role: 'compared' },
] as const satisfies readonly AmplificationCurve[];

const USERS = [10_000, 100_000];
const BINS = 16;

interface Subject extends Pick<Figure, 'id' | 'title' | 'caption'> {
  readonly settingNames: readonly ('users' | 'bins')[];
  readonly note: string;
  readonly panels: readonly {
    readonly title: string;
    readonly setting: readonly number[];
    /** The protocol that the original analysis gives epsilon' to. */
    readonly account: (original: number) => Account;
  }[];
}

export const FLIPPED_BITS_FIGURE = figureOf({
  id: 'vr.fig3',
  title: 'Variation-ratio paper, Figure 3: histograms from flipped bits',
  caption:
    'The protocol of Cheu and Zhilyaev with the flips that its original analysis asks for: central epsilon by that analysis, ' +
    'by the variation-ratio pair and its closed forms, and as proved.',
  settingNames: ['users'],
  note:
    'One blanket message per user, as in the authors’ program; where the original analysis then asks for flips of more than ' +
    'a quarter, or cannot be met, the least number with which it does not. Nothing depends on the number of categories, so ' +
    'the paper’s panels for 16 and 128 are one.',
  panels: USERS.map((users) => ({
    title: `n = ${users.toLocaleString('en')}`,
    setting: [users],
    account: (original) => {
      const delta = 0.01 / users;
      // Enough for flips of at most a quarter; nearer to one half little is left to estimate from.
      const enough = Math.ceil(cheuZhilyaevVariance(original, delta) / (0.25 * 0.75));
      const messages = Math.max(users, enough);
      const flip = cheuZhilyaevFlip(messages, original, delta);
      return accountMechanism('cheu-zhilyaev', { flip }, messages + 1, { delta });
    },
  })),
});

export const BALLS_INTO_BINS_FIGURE = figureOf({
  id: 'vr.fig4',
  title: 'Variation-ratio paper, Figure 4: balls into bins',
  caption:
    'Balls into bins with the blanket messages that its original analysis asks for: central epsilon by that analysis, by the ' +
    'variation-ratio pair, which is exact here, and by its closed forms.',
  settingNames: ['users', 'bins'],
  note:
    'One special bin. The number of users enters by delta = 0.01/n alone. The original analysis asks for messages in proportion to ' +
    'the bins, so that the paper’s panels for 16 and 128 bins agree to half a per cent: those for 16 are drawn.',
  panels: USERS.map((users) => ({
    title: `n = ${users.toLocaleString('en')}, d = ${BINS}`,
    setting: [users, BINS],
    account: (original) => {
      const delta = 0.01 / users;
      const messages = Math.ceil(ballsIntoBinsMessages(original, delta, BINS));
      return accountMechanism('balls-into-bins', { bins: BINS }, messages + 1, { delta });
    },
  })),
});

function figureOf({ panels, note, ...said }: Subject) {
  return curvesFigure({
    ...said,
    paper: 'variation-ratio',
    cost: { full: 2, quick: 1 },
    subtitle: 'delta = 0.01/n, replace-one neighbours',
    baseline: 'the original analysis',
    axes: 'amplification',
    xTitle: "epsilon' of the original analysis (nats)",
    xName: 'original_epsilon',
    curves: CURVES,
    grid: { full: linearGrid(0.01, 1.5, 30), quick: linearGrid(0.01, 1.5, 10) },
    plans: panels.map(({ account, ...panel }) => ({
      ...panel,
      epsilonsAt: (original: number) => epsilonsOf(original, account(original)),
    })),
    notes: (figure) => [
      'The paper states about 75 % saved by the variation-ratio analysis and over 50 % by Theorem 4.2.',
      note,
      ...[NUMERICAL, ANALYTIC, REPAIRED, CERTIFIED].map((name) => savingNote(figure, name)),
    ],
  });
}

/** In the order of `CURVES`. */
function epsilonsOf(original: number, account: Account): (number | null)[] {
  return [
    original,
    boundValue(account, 'variation-ratio-asymptotic'),
    boundValue(account, 'variation-ratio-analytic'),
    boundValue(account, 'variation-ratio-analytic-repaired'),
    account.bracket.upper,
    boundValue(account, 'variation-ratio'),
  ];
}
