import type { PaperReading } from '../statements/paper-reading.ts';
import { COMPOSITION_STATEMENTS } from './statements.ts';

export const COMPOSITION_READING: PaperReading = {
  paper: 'composition',
  claims:
    'Many rounds of shuffling are accounted by the privacy loss distribution of the variation-ratio pair of a round, composed by Fourier transforms. For randomized response on s sampled bits it gives the parameters of the pair. Federated learning then costs a fifth less than by the stronger clone, and federated trees four fifths less than by composition theorems.',
  holds:
    'The method is right: dominating pairs compose, and their losses add (Lemmas 1 to 3). The total variation of Theorem 1 is right. Federated learning saves the printed 20 % and trees more than the printed 80 %, by our composition, which counts its own discretisation as a proof would.',
  fails:
    'Theorem 1 inherits the gap of the variation-ratio theorem: with two bits or more, a data set exceeds it where users are few. Algorithm 1 is not what the derivation before it says: it adds the mass of one component and lacks a factor in a denominator, so that its sum is ten times too large in a small case.',
  today:
    'Compose the certified curve of a round ([composition.md](../composition.md)): for four bits it saves three times as much as Theorem 1, and it is proved.',
  statements: COMPOSITION_STATEMENTS,
};
