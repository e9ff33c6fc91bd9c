export { forestSchema, loadForestConfig } from './forest-schema.ts';
export { runForest } from './run-forest.ts';
export { percent, writeForest } from './write-forest.ts';
export { meanShare } from '../results/trial-statistics.ts';
