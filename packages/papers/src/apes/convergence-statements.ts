/** What Liu et al., "Echo of Neighbors" (AAAI 2023), state on the way to Theorem 2, the convergence bound. */
import type { Statement } from '../statements/statement.ts';

export const CONVERGENCE = 'papers/apes/convergence-bound.ts';

/** Appendix B, but for its equations. */
export const CONVERGENCE_STATEMENTS: readonly Statement[] = [
  {
    label: 'Definition 6',
    section: 'B',
    says: 'dissimilarity of users',
    code: [`${CONVERGENCE}: LossConstants`],
    standing: 'definition',
    note: 'An assumption of Theorem 2. It bounds B at one point; near the minimum it is unbounded unless all users agree there.',
  },
  {
    label: 'Lemma 7',
    section: 'B',
    says: 'what one round changes',
    code: [`${CONVERGENCE}: singleRound`],
    claims: ['apes.convergence'],
    note: 'With 1 in the place of 1/mu before the product of gradient and perturbation it is proved.',
  },
  {
    label: 'Lemma 8',
    section: 'B',
    says: 'general form of the convergence bound',
    code: [`${CONVERGENCE}: gapBounds`],
    claims: ['apes.convergence'],
    note: 'Its step from Lemma 7 needs the factor of the squared gradient not to be positive, so alpha B < 1.',
  },
  {
    label: 'Lemma 9',
    section: 'B',
    says: 'with the noise of Clip-Laplace messages',
    code: [],
    standing: 'misprint',
    note: 'Equation (26) has -8C/min(epsilon) for -8C^2/min(epsilon), and the last display 2C^2 for 8C^2. What is meant bounds the noise of one dimension by something that never exceeds 4 C^2, which the order C^2/min(epsilon)^2 hides.',
  },
  {
    label: 'Lemma 10',
    section: 'B',
    says: 'after calibration',
    code: [`${CONVERGENCE}: printedPerturbation`, `${CONVERGENCE}: gradientStepGaps`],
    standing: 'open',
    note: 'As Lemma 8 with the noise of one dimension, by the smallest budget alone. A bound by the mean squared error of a round is proved beside it.',
  },
];
