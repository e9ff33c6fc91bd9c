/**
 * @module K-means and isolation forests from shuffled histograms: configs, runs and reports of
 * `shuffle-dp unsupervised`.
 */
export { loadUnsupervisedConfig, unsupervisedSchema } from './unsupervised-schema.ts';
export { MEASURES, runUnsupervised } from './run-unsupervised.ts';
export { meanQuality, quality, writeUnsupervised } from './write-unsupervised.ts';
