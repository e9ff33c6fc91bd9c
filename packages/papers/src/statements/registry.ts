/** The five papers, read. */
import { APES_READING } from '../apes/reading.ts';
import { COMPOSITION_READING } from '../composition/reading.ts';
import { HPS_READING } from '../hps/reading.ts';
import { SEGMENTED_READING } from '../segmented/reading.ts';
import { VARIATION_RATIO_READING } from '../variation-ratio/reading.ts';
import type { PaperReading } from './paper-reading.ts';

export const PAPER_READINGS: readonly PaperReading[] = [
  VARIATION_RATIO_READING,
  COMPOSITION_READING,
  SEGMENTED_READING,
  APES_READING,
  HPS_READING,
];
