/** The papers, and what stands beside them. */
import type { FigureSource } from './figure.ts';

export const PAPER_TITLES: Readonly<Record<FigureSource, string>> = {
  'variation-ratio': 'Privacy Amplification via Shuffling: Unified, Simplified, and Tightened (PVLDB 2024)',
  composition: 'Shuffle Model of Differential Privacy: Numerical Composition for Federated Learning (2025)',
  segmented: 'Segmented Private Data Aggregation in the Multi-message Shuffle Model (2025)',
  apes: 'Echo of Neighbors: Privacy Amplification for Personalized Private Federated Learning (AAAI 2023)',
  hps: 'Enhanced Privacy Bound for Shuffle Model with Personalized Privacy (CIKM 2024)',
  map: 'The map: which protocol errs least where',
  'canonical-pair': 'Growing Alphabets in Canonical Shuffle Experiments (2026), and one statement of it',
};
