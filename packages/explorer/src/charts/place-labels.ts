/** Labels at the end of lines, moved apart where lines meet. */

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
