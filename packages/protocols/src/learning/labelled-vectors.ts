/** Examples to learn from: one vector of features and one class each. */
import { ParameterError, requireInteger } from '@shuffle-dp/core';

export interface LabelledVectors {
  readonly features: number;
  readonly classes: number;
  /** Class of each example, below `classes`. */
  readonly labels: Uint8Array;
  /** Example-major: the features of example j start at j * features. */
  readonly values: Float32Array;
}

/** @throws ParameterError unless shapes agree and every label is below `classes` */
export function checkLabelledVectors(data: LabelledVectors): void {
  requireInteger('features', data.features, 1);
  requireInteger('classes', data.classes, 2, 256);
  if (data.values.length !== data.labels.length * data.features) {
    throw new ParameterError(
      'values',
      data.values.length,
      `labels x features = ${data.labels.length * data.features} long`,
    );
  }
  const wrong = data.labels.findIndex((label) => label >= data.classes);
  if (wrong >= 0)
    throw new ParameterError(`labels[${wrong}]`, data.labels[wrong]!, `below classes = ${data.classes}`);
}
