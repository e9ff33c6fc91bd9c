/**
 * The statements of Liu et al., "Enhanced Privacy Bound for Shuffle Model with Personalized Privacy" (CIKM
 * 2024).
 */
import { background, type Statement } from '../statements/statement.ts';

const HPS = 'accounting/personalized/hypothesis-testing-bound.ts';

export const HPS_STATEMENTS: readonly Statement[] = [
  background('Figure 1', '1', 'overview of personal budgets in the shuffle model'),
  {
    label: 'Definition 1',
    section: '2.1',
    says: 'differential privacy',
    code: ['core/contracts/privacy.ts: PrivacyStatement'],
    standing: 'definition',
  },
  {
    label: 'Definition 2',
    section: '2.1',
    says: 'local differential privacy',
    code: ['randomizers/laws/local-ratios.ts: localRatios'],
    standing: 'definition',
  },
  {
    label: 'Equation (1)',
    section: '3.1',
    says: 'decomposition of the victim’s laws',
    code: ['accounting/published/clones.ts: strongerClonePair'],
    standing: 'background',
    note: 'Of Feldman et al. 2021.',
  },
  {
    label: 'Equation (2)',
    section: '3.1',
    says: 'decomposition of the others’ laws',
    code: ['accounting/published/clones.ts: strongerClonePair'],
    standing: 'background',
    note: 'Of Feldman et al. 2021.',
  },
  {
    label: 'Figure 2',
    section: '3.1',
    says: 'the areas of mistaken messages',
    code: [`${HPS}: confoundingProbabilities`],
    standing: 'definition',
  },
  {
    label: 'Equation (3)',
    section: '3.2.1',
    says: 'the victim’s laws with the error of a test in place of the clone probability',
    code: [`${HPS}: confoundingProbabilities`],
    claims: ['hps.soundness'],
    note: 'As printed both laws would be equal; the components of Equation (1) are meant.',
  },
  {
    label: 'Equation (4)',
    section: '3.2.2',
    says: 'the others’ laws likewise',
    code: [`${HPS}: confoundingProbabilities`],
    claims: ['hps.soundness'],
    note: 'The mass of an overlap is not a floor below the law.',
  },
  {
    label: 'Figure 3',
    section: '3.2',
    says: 'confounding probability against the budget',
    code: ['papers/hps/confounding-figure.ts: CONFOUNDING_FIGURE'],
    claims: ['hps.fig3'],
  },
  {
    label: 'Table 1',
    section: '3.3',
    says: 'distributions of budgets',
    code: ['papers/figures/budget-distributions.ts: HPS_BUDGET_DISTRIBUTIONS'],
    standing: 'definition',
  },
  {
    label: 'Theorem 1',
    section: '3.3',
    says: 'trade-off function of the shuffled process',
    code: ['accounting/personalized/hypothesis-testing-trade-off.ts: hypothesisTestingTradeOff'],
    claims: ['hps.trade-off', 'hps.soundness'],
  },
  {
    label: 'Theorem 2',
    section: '3.3',
    says: 'delta for each epsilon',
    code: ['accounting/personalized/clone-divergence.ts: cloneDivergence'],
    claims: ['hps.soundness'],
    note: 'Printed sums start at 1 and lose the outcome without a clone; ours start at 0, as Theorem 1 does.',
  },
  {
    label: 'Equation (5)',
    section: '3.3',
    says: 'its formula',
    code: ['accounting/personalized/clone-divergence.ts: cloneDivergence'],
    claims: ['hps.trade-off'],
  },
  {
    label: 'Figure 4',
    section: '4',
    says: 'central epsilon against the number of users',
    code: ['papers/hps/personalized-bound-figures.ts: PERSONALIZED_BOUND_FIGURES'],
    claims: ['hps.fig4'],
  },
  {
    label: 'Table 2',
    section: '4',
    says: 'central delta at five epsilons',
    code: ['papers/hps/central-delta-table.ts: CENTRAL_DELTA_TABLE'],
    claims: ['hps.table2'],
  },
  {
    label: 'Section 3.3',
    section: '3.3',
    says: 'the user of the largest budget is the worst victim',
    code: ['accounting/personalized/largest-budget.ts: largestBudgetBounds'],
    claims: ['personalised.worst-victim'],
  },
];
