export { type Figure } from './figure.ts';
export { type MadeFigure, figureFiles } from './made-figure.ts';
export { FIGURES } from './registry.ts';
export { makeFigures } from './make-figures.ts';
