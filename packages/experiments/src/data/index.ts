export { DATA_SETS } from './data-sets.ts';
