/** The lower convex hull of points, exactly. */

export interface HullPoint {
  readonly at: bigint;
  readonly value: bigint;
}

/** @param points in rising order of `at` @returns those on the hull, with both ends */
export function lowerHull<Point extends HullPoint>(points: readonly Point[]): Point[] {
  const hull: Point[] = [];
  for (const point of points) {
    while (hull.length > 1 && !isBelowChord(hull.at(-2)!, hull.at(-1)!, point)) hull.pop();
    hull.push(point);
  }
  return hull;
}

function isBelowChord(left: HullPoint, middle: HullPoint, right: HullPoint): boolean {
  return (
    (middle.value - left.value) * (right.at - left.at) < (right.value - left.value) * (middle.at - left.at)
  );
}
