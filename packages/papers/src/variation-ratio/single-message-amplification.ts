/**
 * Figures 1 and 2 of Wang et al., "Privacy Amplification via Shuffling: Unified, Simplified, and Tightened" (PVLDB
 * 17(8), 2024): single-message randomizers, delta = 0.01/n. Our curves add the bracket that is proved.
 */
import { accountMechanism, boundValue, type Account } from '@shuffle-dp/experiments/account';
import {
  amplificationResult,
  drawPanels,
  geometricGrid,
  savingNote,
  type AmplificationColumn,
  type AmplificationCurve,
  type AmplificationFigure,
} from '../figures/amplification-curves.ts';
import type { Figure, FigureContext, FigureResult } from '../figures/figure.ts';

const PUBLISHED = 'variation-ratio, as published';
const CERTIFIED = 'certified, upper end';

const CURVES = [
  { name: 'Erlingsson et al.', style: 'line', role: 'earlier' },
  { name: 'privacy blanket, general', style: 'line', role: 'earlier' },
  { name: 'privacy blanket, specific', style: 'line', role: 'earlier' },
  { name: 'clone', style: 'line', role: 'earlier' },
  { name: 'stronger clone', style: 'line', role: 'earlier' },
  { name: CERTIFIED, style: 'line', role: 'compared' },
  { name: 'certified, lower end', style: 'theory', colourKey: CERTIFIED, role: 'compared' },
  // Last, and dashed: it lies on the certified upper end nearly everywhere.
  { name: PUBLISHED, style: 'theory', role: 'compared' },
] as const satisfies readonly AmplificationCurve[];

type Curve = (typeof CURVES)[number]['name'];
type Named = 'users' | 'domain' | 'epsilon0';
type Columns = AmplificationColumn<Curve, Named>;

interface Claims {
  readonly specific: number | null;
  readonly published: number;
}

interface Subject {
  readonly id: string;
  readonly title: string;
  readonly caption: string;
  readonly mechanism: 'subset' | 'local-hash';
  /** Numbers of categories; the epsilons of local hashing do not depend on them. */
  readonly domains: readonly number[];
  /** The specific blanket and the variation-ratio analysis as the paper has them. */
  readonly claims: (account: Account, users: number, delta: number) => Claims;
  readonly note: string;
}

const USERS = [10_000, 100_000];

export const SUBSET_FIGURE = figureOf({
  id: 'vr.fig1',
  title: 'Variation-ratio paper, Figure 1: subset selection',
  caption:
    'Subset selection by its best earlier bounds, by the variation-ratio analysis, and as proved: the upper end by the blanket ' +
    "of the mechanism itself, the lower end by the worst data set known. The published analysis is not a proof: the victim's " +
    'leftover messages are counted as shared by all.',
  mechanism: 'subset',
  domains: [16, 128],
  claims: (account) => ({
    specific: specificBlanket(account),
    published: boundValue(account, 'variation-ratio')!,
  }),
  note: "Subsets have the size that is best for one user; the paper does not state its own, its authors' program takes ceil(d / e^epsilon0).",
});

export const LOCAL_HASH_FIGURE = figureOf({
  id: 'vr.fig2',
  title: 'Variation-ratio paper, Figure 2: optimal local hashing',
  caption:
    'Optimal local hashing by its best earlier bounds, by the variation-ratio analysis with the total variation of Table 2, and ' +
    'as proved. Table 2 leaves out that a hash function may give two values one bucket; counting it saves more than the table ' +
    'does where there are few buckets. No bound depends on the number of categories.',
  mechanism: 'local-hash',
  domains: [16],
  // Both as if the hash function told the victim's two values apart: randomized response over the buckets.
  claims: ({ parameters }, users, delta) => {
    const { epsilon0, hashRange: domain } = parameters as { epsilon0: number; hashRange: number };
    const response = accountMechanism('grr', { epsilon0, domain }, users, { delta });
    return { specific: specificBlanket(response), published: boundValue(response, 'variation-ratio')! };
  },
  note: 'The number of buckets is the prime nearest to e^epsilon0 + 1; the paper rounds e^epsilon0 + 1 down.',
});

function figureOf(subject: Subject): Figure<Columns> {
  const { id, title, caption } = subject;
  return {
    id,
    paper: 'variation-ratio',
    title,
    caption,
    cost: { full: 3, quick: 2 },
    make: (context) => makeFigure(subject, context),
  };
}

async function makeFigure(subject: Subject, context: FigureContext): Promise<FigureResult<Columns>> {
  const { id, title, mechanism, domains } = subject;
  const grid = geometricGrid(0.1, 5, context.quick ? 14 : 28);
  const plans = domains.flatMap((domain) =>
    USERS.map((users) => ({
      title: `n = ${users.toLocaleString('en')}${domains.length > 1 ? `, d = ${domain}` : ''}`,
      setting: [users, domain],
      epsilonsAt: (epsilon0: number) => {
        const delta = 0.01 / users;
        const account = accountMechanism(mechanism, { epsilon0, domain }, users, { delta });
        const { specific, published } = subject.claims(account, users, delta);
        return epsilonsOf(account, specific, published);
      },
    })),
  );
  const figure: AmplificationFigure<Curve, Named> = {
    id,
    title,
    subtitle: 'delta = 0.01/n, replace-one neighbours',
    baseline: 'the best earlier bound at each point',
    xTitle: 'local budget epsilon0 (nats)',
    xName: 'epsilon0',
    settingNames: ['users', 'domain'],
    curves: CURVES,
    panels: await drawPanels(id, plans, grid, context),
  };
  const notes = [subject.note, savingNote(figure, PUBLISHED), savingNote(figure, CERTIFIED)];
  return amplificationResult(figure, notes);
}

/** In the order of `CURVES`. */
function epsilonsOf(account: Account, specific: number | null, published: number): (number | null)[] {
  return [
    boundValue(account, 'erlingsson'),
    smaller(boundValue(account, 'blanket-hoeffding-generic'), boundValue(account, 'blanket-bennett-generic')),
    specific,
    boundValue(account, 'clone'),
    boundValue(account, 'stronger-clone'),
    account.bracket.upper,
    account.bracket.lower,
    published,
  ];
}

function specificBlanket(account: Account): number | null {
  return smaller(boundValue(account, 'blanket-hoeffding'), boundValue(account, 'blanket-bennett'));
}

function smaller(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.min(a, b);
}
