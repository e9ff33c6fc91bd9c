/** Between two points of a table of cumulants: the polynomial with the values, slopes and bends of both. */

/** log E e^(tX) with its first two derivatives. */
export interface Cumulants {
  readonly log: number;
  readonly mean: number;
  readonly variance: number;
}

/** @param share of the way from the left point to the right one, `width` apart */
export function quintic(left: Cumulants, right: Cumulants, share: number, width: number): Cumulants {
  const rise = right.log - left.log;
  const [start, end] = [width * left.mean, width * right.mean];
  const [bend, bendAtEnd] = [(width * width * left.variance) / 2, (width * width * right.variance) / 2];
  // What is left at the far end, in value, slope and half the bend, of the parabola that begins as it should.
  const value = rise - start - bend;
  const slope = end - start - 2 * bend;
  const curve = bendAtEnd - bend;
  const cube = 10 * value - 4 * slope + curve;
  const fourth = -15 * value + 7 * slope - 2 * curve;
  const fifth = 6 * value - 3 * slope + curve;
  return {
    log: left.log + share * (start + share * (bend + share * (cube + share * (fourth + share * fifth)))),
    mean:
      (start + share * (2 * bend + share * (3 * cube + share * (4 * fourth + share * 5 * fifth)))) / width,
    variance: (2 * bend + share * (6 * cube + share * (12 * fourth + share * 20 * fifth))) / (width * width),
  };
}
