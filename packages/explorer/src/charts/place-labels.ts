/** Labels at the end of lines, moved apart where lines meet, and where lines leave the plot. */

/**
 * @param wanted where each label's middle would best be
 * @param gap least distance between two middles
 * @returns where they go: in the order of `wanted`, none above `top`, and none below `bottom` as long as all
 * have room
 */
export function placeLabels(wanted: readonly number[], gap: number, top: number, bottom: number): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a]! - wanted[b]!);
  const placed = Array<number>(wanted.length).fill(0);
  let last = top - gap;
  for (const i of order) {
    last = Math.max(wanted[i]!, last + gap);
    placed[i] = last;
  }
  // What hangs over the bottom pushes the others up again.
  let next = bottom + gap;
  for (const i of order.toReversed()) {
    next = Math.min(placed[i]!, next - gap);
    placed[i] = Math.max(next, top);
  }
  return placed;
}

export type DrawnPoint = readonly [x: number, y: number];

/**
 * Where lines leave the plot for good, above it or below; null for each that ends in it, or never is in it.
 * @returns places of their labels: one beneath the other, the leftmost highest at the lower edge, and lowest
 * at the upper one, so that none lies across the line of a next one
 */
export function exitPlaces(
  lines: readonly (readonly DrawnPoint[])[],
  top: number,
  bottom: number,
  gap: number,
): ({ readonly x: number; readonly y: number } | null)[] {
  const exits = lines.map((points) => exitOf(points, top, bottom));
  return exits.map((exit, i) => {
    if (exit === null) return null;
    const further = exits.filter(
      (other, k) => other?.isBelow === exit.isBelow && (other.x > exit.x || (other.x === exit.x && k > i)),
    ).length;
    return { x: exit.x, y: exit.isBelow ? bottom - 5 - gap * further : top + 11 + gap * further };
  });
}

function exitOf(
  points: readonly DrawnPoint[],
  top: number,
  bottom: number,
): { readonly x: number; readonly isBelow: boolean } | null {
  const last = points.findLastIndex(([, y]) => y >= top && y <= bottom);
  if (last < 0 || last === points.length - 1) return null;
  const [[x0, y0], [x1, y1]] = [points[last]!, points[last + 1]!];
  const isBelow = y1 > bottom;
  return { x: x0 + ((x1 - x0) * ((isBelow ? bottom : top) - y0)) / (y1 - y0), isBelow };
}
