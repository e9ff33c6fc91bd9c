export {
  type LearningConfig,
  learningSchema,
  loadLearningConfig,
  parseLearningConfig,
} from './learning-schema.ts';
export { finalAccuracy } from './learning-tables.ts';
export { type FrameworkResult, runLearning } from './run-learning.ts';
export { writeLearning } from './write-learning.ts';
