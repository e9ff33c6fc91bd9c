/** Wheel: arcs of a set's items on a circle of points. */
import { lawsFrom, range, sameInputs, wordsOf } from './finite-mechanism.ts';
import type { Definition } from './mechanism-oracle.ts';

/** Sets by which of their own items share a place, disjoint as far as the domain allows. */
export const disjointSets = (domain: number, items: number): number[][] =>
  range(Math.min(3, Math.floor(domain / items))).map((set) => range(items).map((i) => set * items + i));

/**
 * A refinement of the cut in the lower end: with another one these laws would lie closer together than the
 * truth.
 */
const OVERLAPS = 32;

/** Of the circle: an arc is a whole number of them. */
const POINTS = 2n ** 31n - 1n;

/** Functions by what is covered on average: the masses of both outcomes are linear in that. */
interface Coverage {
  /** Of all functions. */
  readonly share: bigint;
  readonly covered: bigint;
}

/**
 * Two arcs of `arc` points that begin at independent points of the circle: no overlap, or one of 1 to arc - 1
 * points at either end, or of all where they begin at one point, which is counted with the longest.
 */
function coveragesOfTwo(arc: bigint, one: bigint): Coverage[] {
  const end = (i: number): bigint => ((arc - 1n) * BigInt(i)) / BigInt(OVERLAPS);
  const overlapping = range(OVERLAPS).map((i): Coverage => {
    const [from, to] = [end(i), end(i + 1)];
    const tied = i === OVERLAPS - 1 ? 1n : 0n;
    const ways = 2n * (to - from) + tied;
    // Overlaps from + 1 to `to`, whose sum is twice their mean, in both orders of the arcs.
    const covered = ways * 2n * arc - (to - from) * (from + 1n + to) - tied * arc;
    return { share: (ways * one) / POINTS, covered: (covered * one) / (ways * POINTS) };
  });
  const apart = one - ((2n * arc - 1n) * one) / POINTS;
  return [{ share: apart, covered: (2n * arc * one) / POINTS }, ...overlapping];
}

/**
 * Wang et al. 2020 with arcs of length a at random places of the circle: where c of it is covered by own
 * arcs, a covered point has density p / (s a p + 1 - s a) and the rest of the mass lies on the others. Given
 * the overlaps of two own arcs, a point lies in the arcs of disjoint sets independently.
 */
export const wheel: Definition = ({ epsilon0, domain, items, length }, arithmetic) => {
  const { one, over, times } = arithmetic;
  const likely = arithmetic.exp(epsilon0!);
  const points = BigInt(Math.floor(length! * Number(POINTS)));
  const arc = (points * one) / POINTS;
  const total = BigInt(items!) * arc;
  const high = over(likely, times(total, likely) + one - total);
  const sets = disjointSets(domain!, items!).length;
  const coverages = items === 1 ? [{ share: one, covered: arc }] : coveragesOfTwo(points, one);
  const events = coverages.flatMap(({ share, covered }) =>
    [true, false].map((inside) => ({
      base: times(share, inside ? covered : one - covered),
      own: times(share, inside ? times(covered, high) : one - times(covered, high)),
    })),
  );
  return sameInputs(
    lawsFrom(
      range(sets),
      wordsOf(sets, events.length),
      (set, word) =>
        word.reduce((mass, code, i) => times(mass, i === set ? events[code]!.own : events[code]!.base), one),
      arithmetic,
    ),
  );
};
