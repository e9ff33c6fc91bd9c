/** What S. Wang et al., "Shuffle Model of Differential Privacy: Numerical Composition for Federated Learning" (2025), state. */
import type { Claim } from './claim.ts';
import { isSaved, SAVING_CRITERION, savings, savingsEvidence, savingsText } from './savings.ts';

const PAPER = 'composition';

export const COMPOSITION_CLAIMS: readonly Claim[] = [
  {
    id: 'comp.fig2',
    paper: PAPER,
    source: 'Abstract, Figure 2',
    published:
      'Federated deep learning over 2 to 256 rounds: the parameters of Theorem 1 save about 20 % against those of the stronger clone, both composed numerically.',
    criterion: SAVING_CRITERION,
    async measure({ figureTable }) {
      const table = await figureTable('comp.fig2', 'quick');
      const baseline = ['stronger clone'];
      const compared = {
        'Theorem 1': savings(table, 'Theorem 1, as published', baseline),
        'certified upper end': savings(table, 'certified, upper end', baseline),
      };
      return {
        verdict: isSaved(compared['Theorem 1'], 20) ? 'reproduced' : 'differs',
        measured: savingsText(compared),
        note: 'Theorem 1 rests on the variation-ratio theorem and is not proved; the blanket of the sampled vectors is, and saves as much with two bits and twice as much with four.',
        evidence: savingsEvidence(compared),
      };
    },
  },
  treeClaim('comp.fig3', 'Figure 3', 5),
  treeClaim('comp.fig4', 'Figure 4', 8),
];

function treeClaim(id: string, source: string, height: number): Claim {
  return {
    id,
    paper: PAPER,
    source,
    published: `Decision trees of height ${height} by multi-message histograms, one tree or five: about 80 % saved against basic and advanced composition.`,
    criterion: SAVING_CRITERION,
    async measure({ figureTable }) {
      const table = await figureTable(id, 'quick');
      const numerical = 'numerical composition, certified';
      const compared = {
        'against the better of both': savings(table, numerical, [
          'basic composition',
          'advanced composition',
        ]),
        'against basic composition': savings(table, numerical, ['basic composition']),
        'against advanced composition': savings(table, numerical, ['advanced composition']),
      };
      return {
        verdict: isSaved(compared['against the better of both'], 80) ? 'reproduced' : 'differs',
        measured: savingsText(compared),
        note: 'Our composition is an upper bound with its discretisation error included. Few messages per query leave large epsilons per round, where the theorems are weakest.',
        evidence: savingsEvidence(compared),
      };
    },
  };
}
