/**
 * Length of a vector of the plane: by the ratio of its sides, whose square neither overflows nor vanishes
 * beside 1.
 *
 * @example Real.hypot(3, 4) // 5
 */
export function hypot(x: number, y: number): number {
  const [a, b] = [Math.abs(x), Math.abs(y)];
  const longer = Math.max(a, b);
  if (longer === 0 || longer === Infinity) return longer;
  const ratio = Math.min(a, b) / longer;
  return longer * Math.sqrt(1 + ratio * ratio);
}
