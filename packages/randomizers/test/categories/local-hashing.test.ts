import { describe, expect, it } from 'vitest';
import { localHashing, type LocalHashing } from '@shuffle-dp/randomizers';

/**
 * Masses of the atoms under the three inputs, merged by the likelihood ratios that an observer can tell
 * apart.
 */
function merged(atoms: Iterable<readonly number[]>): Map<string, number[]> {
  const cells = new Map<string, number[]>();
  for (const atom of atoms) {
    const [first, second, third] = atom;
    const ratios = `${(first! / third!).toFixed(6)} ${(second! / third!).toFixed(6)}`;
    const sums = cells.get(ratios) ?? [0, 0, 0];
    cells.set(
      ratios,
      sums.map((sum, i) => sum + atom[i]!),
    );
  }
  return cells;
}

/** Every function and bucket, with its probability under each of the given values. */
function* everyMessage(mechanism: LocalHashing, values: readonly number[]): Generator<number[]> {
  for (let seed = 0; seed < mechanism.family.size; seed++) {
    for (let bucket = 0; bucket < mechanism.hashRange; bucket++) {
      yield values.map((value) => Math.exp(mechanism.logProbability!([seed, bucket], value)));
    }
  }
}

describe('the data sets behind the lower bound of local hashing', () => {
  const cases = [2, 3, 5, 7].flatMap((hashRange) =>
    [3, hashRange + 1, hashRange + 2, hashRange + 4].map((domain) => ({ hashRange, domain })),
  );
  const labelled = [
    { label: 'all others hold a third value', values: [0, 1, 2] },
    { label: "all others hold the victim's first value", values: [0, 1, 0] },
  ];
  it.each(cases)(
    'are met by real messages, $hashRange buckets and $domain values',
    ({ hashRange, domain }) => {
      const mechanism = localHashing({ domain, hashRange, epsilon0: 1.3 });
      const { homogeneous } = mechanism.amplification();
      for (const { label, values } of labelled) {
        const atoms = homogeneous.find((candidate) => candidate.label === label)!;
        const stated = merged(
          Array.from(atoms.others, (others, i) => [atoms.victim0[i]!, atoms.victim1[i]!, others]),
        );
        const enumerated = merged(everyMessage(mechanism, values));
        expect([...stated.keys()].sort()).toEqual([...enumerated.keys()].sort());
        for (const [ratios, masses] of enumerated) {
          masses.forEach((mass, i) => expect(stated.get(ratios)![i]).toBeCloseTo(mass, 12));
        }
      }
    },
  );

  it('would not be met by three values on a line of the plane', () => {
    // With 5 buckets the vectors of values 1, 2 and 3 are (0,1), (1,1), (2,1), whose coefficients -1 and 2
    // add up to one.
    const mechanism = localHashing({ domain: 6, hashRange: 5, epsilon0: 1.3 });
    const atoms = mechanism.amplification().homogeneous[0]!;
    const stated = merged(
      Array.from(atoms.others, (others, i) => [atoms.victim0[i]!, atoms.victim1[i]!, others]),
    );
    const enumerated = merged(everyMessage(mechanism, [1, 2, 3]));
    expect(enumerated.size).toBeLessThan(stated.size);
  });
});
