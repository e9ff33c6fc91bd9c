import type { PaperReading } from '../statements/paper-reading.ts';
import { APES_STATEMENTS } from './statements.ts';

export const APES_READING: PaperReading = {
  paper: 'apes',
  claims:
    'In federated learning each user picks a local budget. Clip-Laplace noise keeps all outputs in one range, so that users of different budgets can be mistaken for each other; gradients and budgets are shuffled apart, and the analyzer calibrates the average. Counting echoes, the messages of others that could be the victim’s, gives a smaller central epsilon than the largest budget alone.',
  holds:
    'Clip-Laplace noise is as private as stated, its moments and the calibration are right, and it moves the average far less than Laplace noise. The neighbour divergence is right. All printed epsilons of Tables 3 and 4 come out, from the numerical form of the bound, and most accuracies within five points.',
  fails:
    'Neither Theorem 4 nor its numerical form is a bound for every user: Lemma 5 averages over the victim’s budget as if it were drawn anew. A user of a large budget among users of small ones exceeds it. Inside the ranges of the paper we know of no violation. The general form of the convergence bound misses a factor in its proof, and a loss that meets its assumptions exceeds it. Algorithm 2 is printed with noise that does not depend on the gradient. The trainings behind the accuracies cannot all have had one setting: UniS’s accuracies under two distributions, which leave about the same noise, are nine points apart.',
  today:
    'Give every user a bracket of their own ([personalized.md](../personalized.md)). Over all dimensions of a gradient the guarantee is weak whatever the analysis: epsilon for a user is in the tens.',
  statements: APES_STATEMENTS,
};
