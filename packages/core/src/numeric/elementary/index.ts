/**
 * Elementary functions with the same bits in every engine. The standard leaves the last bits of Math.exp,
 * log, sin and the like open, and engines differ in them: a search that compares nearly equal values would go
 * another way in a browser than in Node, and in the next version of either. Here there are additions,
 * multiplications, divisions and square roots only, which are rounded correctly everywhere.
 *
 * Error: less than one unit in the last place for exp, expm1, log and log1p, as for sin and cos beside 1e-25
 * in absolute terms, and at most two for the others.
 */
export { atan2, acos, asin } from './arcs.ts';
export { exp, expm1 } from './exponential.ts';
export { atanh, cosh, sinh, tanh } from './hyperbolic.ts';
export { hypot } from './hypotenuse.ts';
export { log, log1p } from './logarithm.ts';
export { power } from './power.ts';
export { cos, sin, sinCos, tan } from './trigonometric.ts';
