/**
 * The gradients of one round's users, made one at a time: a million numbers a user would not fit in memory
 * together.
 */
export interface GradientSource {
  readonly users: number;
  readonly dimensions: number;
  writeInto(user: number, row: Float64Array): void;
}
