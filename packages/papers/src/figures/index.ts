export { type Figure, type FigureContext, type FigureResult } from './figure.ts';
export { type MadeFigure, figureFiles } from './made-figure.ts';
export { FIGURES } from './registry.ts';
export { makeFigures, type MakeOptions } from './make-figures.ts';
