/** Shapes of synthetic distributions over a domain, as probabilities. */
export interface ItemShape {
  readonly kind: 'uniform' | 'zipf' | 'gaussian-bump';
  readonly exponent?: number;
  /** Fractions of the domain. */
  readonly centre?: number;
  readonly width?: number;
}

export function itemProbabilities(shape: ItemShape, domain: number): Float64Array {
  const weights = Float64Array.from({ length: domain }, (_, item) => {
    switch (shape.kind) {
      case 'uniform':
        return 1;
      case 'zipf':
        return Math.exp(-shape.exponent! * Math.log(item + 1));
      case 'gaussian-bump': {
        const z = ((item + 0.5) / domain - shape.centre!) / shape.width!;
        return Math.exp(-0.5 * z * z);
      }
    }
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}
