export { type PaperReading } from './paper-reading.ts';
export { PAPER_READINGS } from './registry.ts';
export { type Standing, type Statement } from './statement.ts';
export { PAPER_TITLES } from '../figures/paper-titles.ts';
