import { describe, expect, it } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { zTest } from '@shuffle-dp/core/testkit';
import { levelHistograms } from '../../src/item-sets/level-histograms.ts';
import { segmentedProtocol } from '../../src/item-sets/set-valued-protocol.ts';
import type { SetValuedSetting } from '../../src/setting.ts';
import { describeProtocolLaws, pathsAgree } from '../laws/protocol-laws.ts';
import { randomLevels, randomSets, withoutLevels } from '../laws/random-data.ts';

const setting: SetValuedSetting = {
  users: 2000,
  domain: 9,
  items: 3,
  delta: 1e-5,
  levels: [0.5, 1, 2],
  shares: [0.25, 0.5, 0.25],
};
const data = randomSets('segmented', 2000, 9, 3, setting.shares);

/** The estimates' exact means: levels weigh by their rates. */
function weighted(rates: readonly number[]): Float64Array {
  const { users, items } = levelHistograms(data, 3);
  const sent = rates.reduce((sum, rate, k) => sum + rate * users[k]!, 0);
  return Float64Array.from(
    { length: data.domain },
    (_, j) => rates.reduce((sum, rate, k) => sum + rate * items[k]![j]!, 0) / sent,
  );
}

for (const spec of [
  { kind: 'segmented', blanketRate: 0.7 },
  { kind: 'segmented', blanketRate: 2 },
  { kind: 'segmented', blanketRate: 2, slots: 5 },
  { kind: 'segmented', blanketRate: 0.7, blankets: 'poisson' },
  { kind: 'segmented', blanketRate: 0.7, blankets: 'negative-binomial' },
] as const) {
  const blankets = 'blankets' in spec ? spec.blankets : 'slots' in spec ? `${spec.slots} slots of` : 'coin';
  describe(`the segmented protocol, m = ${spec.blanketRate}, ${blankets} blankets`, () => {
    const protocol = segmentedProtocol(spec, setting);
    describeProtocolLaws({
      protocol,
      data,
      trials: 400,
      expectation: weighted(protocol.messageParameters.rates),
      stages: ['privacy levels', 'data messages'],
    });
  });
}

describe('its two paths', () => {
  it('have one distribution: joint counts of a small case', () => {
    const small = {
      ...setting,
      users: 12,
      domain: 3,
      items: 1,
      levels: [1, 3],
      shares: [0.5, 0.5],
      delta: 0.05,
    };
    const few = randomSets('small', 12, 3, 1, small.shares);
    for (const own of [
      { blankets: 'paper' },
      { blankets: 'paper', blanketRate: 1, slots: 4 },
      { blankets: 'poisson' },
      { blankets: 'negative-binomial' },
    ] as const) {
      const protocol = segmentedProtocol({ kind: 'segmented', blanketRate: 1.5, ...own }, small);
      const statistic = (estimate: Float64Array): string =>
        [...estimate].map((value) => Math.round(value * 4)).join();
      // Fixed seed; false alarm 1e-6.
      expect(pathsAgree(protocol, few, 4000, statistic)).toBeGreaterThan(1e-6);
    }
  });
});

describe('its slots', () => {
  const msnbc = { ...setting, domain: 17, items: 4, delta: 5e-6 };

  it('send the same blankets, and hide how many items were sent', () => {
    const full = segmentedProtocol({ kind: 'segmented', blanketRate: 2 }, msnbc);
    const three = segmentedProtocol({ kind: 'segmented', blanketRate: 2, slots: 3 }, msnbc);
    // Theorem 3 hardly sees the difference: its pair has the same blankets of an item.
    three.messageParameters.rates.forEach((rate, k) => {
      expect(Math.abs(rate / full.messageParameters.rates[k]! - 1)).toBeLessThan(5e-3);
    });
    const [ofFull, ofThree] = [full, three].map((protocol) => protocol.certifiedPrivacy()[0]!.epsilon);
    // Coins of the others hide the number among full slots, too, but less.
    expect(ofFull!.upper).toBeGreaterThan(0.29);
    expect(ofFull!.upper).toBeLessThan(0.292);
    expect(ofThree!.upper).toBeLessThan(0.237);
    expect(full.privacy()[0]).toMatchObject({ sound: false, verdict: 'certified' });
    expect(three.privacy()[0]).toMatchObject({ sound: 'unproven', verdict: 'certified' });
    const theorems = [full, three].map((protocol) => protocol.certifiedPrivacy()[0]!.theorem);
    expect(theorems[0]).toContain('coins of other users');
    expect(theorems[1]).not.toContain('coins of other users');
    const nearly = segmentedProtocol({ kind: 'segmented', blanketRate: 1.9999 }, msnbc);
    expect(nearly.certifiedPrivacy()[0]!.theorem).toContain('coins of other users');
    expect(three.parameters.slots).toBe(3);
    expect(three.cost().messagesPerUser / full.cost().messagesPerUser).toBeCloseTo(1, 2);
  });

  it('all full, hide the number behind those whose level is known, are honest, and keep items back', () => {
    const upper = (spec: object, change: object = {}, colluding = 0): number => {
      const protocol = segmentedProtocol(
        { kind: 'segmented', blanketRate: 2, ...spec },
        { ...msnbc, ...change },
      );
      const statements = colluding ? protocol.threatenedPrivacy!({ colluding }) : protocol.certifiedPrivacy();
      return statements[0]!.epsilon.upper;
    };
    const plain = upper({});
    // Levels that are chosen in private are not counted on.
    expect(upper({ levelEpsilon: 1 })).toBeGreaterThan(0.509);
    // A tenth of all users may be two fifths of the level's.
    const few = upper({}, {}, 0.1);
    expect(few).toBeGreaterThan(plain * 1.05);
    expect(few).toBeLessThan(0.4);
    // A quarter may be all of the level, not of the next one; most of all users leave none of either.
    expect(upper({}, {}, 0.25)).toBeLessThan(0.4);
    expect(upper({}, {}, 0.6)).toBeGreaterThan(0.7);
    // Those of the other level have most to keep back.
    expect(upper({}, { shares: [0.05, 0.9, 0.05] })).toBeLessThan(0.36);
    // The largest level sends everything.
    expect(upper({}, { shares: [0.3, 0.1, 0.6] })).toBeLessThan(0.3);
  });

  it('are refused where they do not fit the blankets', () => {
    const make = (spec: object) => () => segmentedProtocol({ kind: 'segmented', ...spec }, msnbc);
    expect(make({ blanketRate: 2.5, slots: 2 })).toThrow('slots = 2: must be at least blanketRate = 2.5');
    expect(make({ blankets: 'poisson', slots: 3 })).toThrow('slots = 3');
    expect(make({ slots: 0 })).toThrow('slots = 0');
    expect(make({ slots: 2.5 })).toThrow('slots = 2.5');
  });
});

describe('its privacy', () => {
  it('is claimed at the level, and each claim is judged by what is proved of the whole set', () => {
    const protocol = segmentedProtocol({ kind: 'segmented', blanketRate: 1 }, setting);
    const claims = protocol.privacy();
    const proved = protocol.certifiedPrivacy();
    expect(claims.map(({ group }) => group)).toEqual(['level 0.5', 'level 1', 'level 2']);
    claims.forEach((claim, k) => {
      const rate = protocol.messageParameters.rates[k]!;
      expect(claim.epsilon.upper).toBeLessThanOrEqual(setting.levels[k]! * (1 + 1e-9));
      if (rate < 1) {
        expect(claim.sound).toBe(false);
        expect(claim.status).toBe('as published');
        expect(claim.epsilon.upper).toBeGreaterThan(setting.levels[k]! * (1 - 1e-4));
        expect(claim.verdict).toBe(
          proved[k]!.epsilon.upper <= claim.epsilon.upper ? 'certified' : 'unproven',
        );
      } else {
        expect(claim.sound).toBe(true);
      }
    });
    expect(claims.some(({ sound }) => sound === false)).toBe(true);
    const upper = claims.map(({ epsilon }) => epsilon.upper);
    expect(upper).toEqual([...upper].sort((a, b) => a - b));
  });

  it('is certified at the level with the exact accounting, within a percent of it or with everything sent', () => {
    const protocol = segmentedProtocol({ kind: 'segmented', blanketRate: 0.5, accounting: 'exact' }, setting);
    protocol.privacy().forEach(({ epsilon, status }, k) => {
      expect(status).toBe('certified');
      expect(epsilon.upper).toBeLessThanOrEqual(setting.levels[k]! * (1 + 1e-9));
      expect(epsilon.lower).toBeGreaterThan(epsilon.upper * 0.98);
      if (protocol.messageParameters.rates[k]! < 1) {
        expect(epsilon.upper).toBeGreaterThan(setting.levels[k]! * 0.999);
      }
    });
  });

  it('is as certain with negative-binomial blankets, with fewer of them and little more error', () => {
    const one = { ...setting, levels: [0.5], shares: [1] };
    const poisson = segmentedProtocol({ kind: 'segmented', accounting: 'exact' }, one);
    const negative = segmentedProtocol(
      { kind: 'segmented', blankets: 'negative-binomial', successProbability: 0.5 },
      one,
    );
    const [stated] = negative.privacy();
    expect(stated).toMatchObject({ status: 'certified', accountant: 'negative-binomial-set' });
    expect(stated!.epsilon.upper).toBeLessThanOrEqual(0.5 * (1 + 1e-9));
    expect(stated!.epsilon.lower).toBeGreaterThan(0.49);
    expect(negative.messageParameters.blanketRate).toBeLessThan(poisson.messageParameters.blanketRate / 1.8);
    const sets = randomSets('one level', 2000, 9, 3, [1]);
    expect(negative.expectedError(sets)! / poisson.expectedError(sets)!).toBeLessThan(1.1);
    expect(negative.expectedError(sets)).toBeLessThan(negative.theoreticalBound!);
  });

  it('weakens as more is sent under fewer blankets', () => {
    const certified = (blanketRate: number): number =>
      segmentedProtocol(
        { kind: 'segmented', blanketRate, accounting: 'exact' },
        { ...setting, levels: [2], shares: [1] },
      ).certifiedPrivacy()[0]!.epsilon.upper;
    expect(certified(3)).toBeLessThan(certified(1.5));
  });
});

describe('its error', () => {
  it('is below the paper bound, and over assignments where the data have no levels', () => {
    const protocol = segmentedProtocol({ kind: 'segmented', blanketRate: 1 }, setting);
    const average = protocol.expectedError(withoutLevels(data))!;
    expect(average).toBeLessThan(protocol.theoreticalBound!);
    const stream = RandomStream.fromSeed('assignments');
    const given = Array.from({ length: 300 }, () => {
      const levelOf = randomLevels(stream, data.users, setting.shares);
      return protocol.expectedError({ ...data, levelOf })!;
    });
    const mean = given.reduce((sum, error) => sum + error, 0) / given.length;
    const variance = given.reduce((sum, error) => sum + (error - mean) ** 2, 0) / given.length;
    // Fixed seed; false alarm 1e-6.
    expect(zTest(mean, average, Math.sqrt(variance / given.length))).toBeGreaterThan(1e-6);
  });
});

describe('private choices of level', () => {
  const protocol = segmentedProtocol({ kind: 'segmented', blanketRate: 2, levelEpsilon: 1 }, setting);

  it('are stated beside the levels, and leave no closed form of the error', () => {
    const statement = protocol.privacy().at(-1)!;
    expect(statement).toMatchObject({ group: 'privacy levels', status: 'certified' });
    expect(statement.epsilon.upper).toBeLessThanOrEqual(1);
    expect(protocol.expectedError(data)).toBeNull();
  });

  it('cost little accuracy on either path', () => {
    const shuffled = segmentedProtocol({ kind: 'segmented', blanketRate: 2 }, setting);
    for (const path of protocol.paths) {
      const meanError = (own: typeof protocol): number => {
        let sum = 0;
        for (let trial = 0; trial < 200; trial++) {
          const estimate = own.run(data, RandomStream.fromSeed(`private levels ${trial}`), path);
          estimate.forEach((value, j) => (sum += (value - data.histogram[j]! / data.users) ** 2));
        }
        return sum / 200;
      };
      expect(meanError(protocol) / meanError(shuffled)).toBeLessThan(1.3);
    }
  });
});

describe('the spec', () => {
  it('is refused where it is not of this protocol', () => {
    const make = (spec: object) => () => segmentedProtocol({ kind: 'segmented', ...spec }, setting);
    expect(make({ blanketRate: -1 })).toThrow('blanketRate = -1: must be a positive number');
    expect(make({ accounting: 'exact', blankets: 'paper' })).toThrow(
      'blankets = "paper": must be \'poisson\'',
    );
    expect(make({ accounting: 'published', blankets: 'negative-binomial' })).toThrow(
      "blankets = \"negative-binomial\": must be 'paper' or 'poisson'",
    );
    expect(make({ blankets: 'negative-binomial', successProbability: 1 })).toThrow(
      'successProbability = 1: must be in [0.01, 1)',
    );
    expect(make({ accounting: 'exact', successProbability: 0.5 })).toThrow(
      'successProbability = 0.5: must be left out',
    );
    expect(() => segmentedProtocol({ kind: 'segmented' }, { ...setting, shares: [0.5, 0.5, 0.5] })).toThrow(
      'the sum of shares = 1.5: must be 1',
    );
    expect(() =>
      segmentedProtocol({ kind: 'segmented', blanketRate: 1 }, setting).run(
        randomSets('other', 10, 9, 3, setting.shares),
        RandomStream.fromSeed('x'),
        'aggregated',
      ),
    ).toThrow('data.users = 10: must be 2000');
  });
});

it('under threats the segmented protocol is stated for an honest user, and shares must be such', () => {
  const protocol = segmentedProtocol({ kind: 'segmented', blanketRate: 2 }, setting);
  const threatened = protocol.threatenedPrivacy!({ colluding: 0.2 });
  threatened.forEach(({ unit, view, epsilon }, k) => {
    expect(unit).toBe('one honest user who took part, all their messages; the level stays');
    expect(view).toBe('the shuffled messages of all users, and all that those who collude know');
    expect(epsilon.upper).toBeGreaterThan(protocol.certifiedPrivacy()[k]!.epsilon.upper);
  });
  expect(() => protocol.threatenedPrivacy!({ dropout: -1 })).toThrow('dropout = -1: must be');
});
