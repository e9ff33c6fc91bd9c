import type { PaperReading } from '../statements/paper-reading.ts';
import { HPS_STATEMENTS } from './statements.ts';

export const HPS_READING: PaperReading = {
  paper: 'hps',
  claims:
    'For users with budgets of their own, the probability that another user’s message passes for the victim’s is taken as the error of a hypothesis test between their laws, and the number of such clones is compared by trade-off functions. The resulting bound is up to five times below those before it.',
  holds:
    'The trade-off function follows from the clone probabilities, and delta from it (once a misprint is mended). Table 2 and Figures 3 and 4 come out.',
  fails:
    'The error of a test is the mass of an overlap. A clone probability is a multiple of the victim’s law that lies below the other user’s law everywhere. The two are not the same, and a certified test exceeds the bound at equal budgets of 3 and more for Laplace noise, and for Gaussian noise at budgets of 1. Table 2 needs noise with a variance in place of its deviation, which is less noise than the budgets ask for. The user of the largest budget is not always the worst victim.',
  today:
    'The certified personal brackets ([personalized.md](../personalized.md)). The stronger clone at the largest budget is no bound either where budgets differ and noise is unbounded.',
  statements: HPS_STATEMENTS,
};
