import { worstEqualData } from '@shuffle-dp/accounting';
import { RandomStream, type FrequencyOracle, type MeanRandomizer, type UserMessages } from '@shuffle-dp/core';
import {
  gaussianMechanism,
  generalizedRandomizedResponse,
  symmetricUnaryEncoding,
} from '@shuffle-dp/randomizers';
import { describe, expect, it } from 'vitest';
import { categoryMessages, numberMessages, type Shuffling } from '../../src/audit/audited-messages.ts';
import { mechanismViews } from '../../src/audit/audited-mechanism.ts';
import { messageViews, type ViewSource } from '../../src/audit/views.ts';
import { auditOf, claimsOf, consistentAudits } from './audits.ts';

describe('a correct program', () => {
  const grr = generalizedRandomizedResponse({ epsilon0: 1, domain: 4 });
  const mechanism = { mechanism: 'grr', parameters: { epsilon0: 1, domain: 4 }, users: 50 };

  // Of 60 and 0.05 a binomial exceeds 6 with probability below 0.05; the long test has 200 audits.
  it('stays consistent at confidence 0.95 in at least 54 of 60 audits', async () => {
    expect(await consistentAudits(60)).toBeGreaterThanOrEqual(54);
  });

  it('shows nothing where both worlds are equal', async () => {
    const views = mechanismViews({ ...mechanism, path: 'aggregated' });
    const source: ViewSource = {
      ...views,
      draw: (_, dataSet, pair, trials, stream) => views.draw(0, dataSet, pair, trials, stream),
    };
    let shown = 0;
    for (let run = 0; run < 100; run++) {
      const claims = [{ delta: 1e-3, allowed: 0 }];
      const { rows } = await auditOf(source, claims, 2000, { confidence: 0.95, seed: `equal ${run}` });
      if (rows[0]!.measured > 0) shown++;
    }
    // A binomial of 100 and 0.05 exceeds 14 with probability below 1e-4.
    expect(shown).toBeLessThanOrEqual(14);
  });

  it('shows most of the epsilon of its data set', async () => {
    const source = mechanismViews({ ...mechanism, path: 'aggregated' });
    const { rows } = await auditOf(source, claimsOf(grr, 50, [0.01]), 400_000);
    const truth = worstEqualData(grr.amplification().homogeneous, 50, { delta: 0.01 }).value;
    expect(rows[0]!.measured).toBeLessThan(truth);
    expect(rows[0]!.measured).toBeGreaterThan(0.8 * truth);
  });

  it('has the same views on both paths', () => {
    const [messages, aggregated] = (['messages', 'aggregated'] as const).map((path) =>
      mechanismViews({ ...mechanism, path }),
    ) as [ViewSource, ViewSource];
    for (const dataSet of ['a third input', "the victim's first input"] as const)
      for (const world of [0, 1] as const) {
        const stream = RandomStream.fromSeed('paths').fork(dataSet).fork(world);
        const trials = 4000;
        const whole = messages.draw(world, dataSet, 1, trials, stream.fork('messages'));
        const own = Float64Array.from({ length: trials }, (_, i) => whole[messages.scores * i]!).sort();
        const counted = aggregated.draw(world, dataSet, 1, trials, stream.fork('aggregated')).sort();
        expect(largestGap(own, counted)).toBeLessThan(0.05);
      }
  });

  it('of unary encodings, subsets, Hadamard and hashed ones is consistent too', async () => {
    for (const [name, parameters] of [
      ['binary-rr', { epsilon0: 1, domain: 4 }],
      ['oue', { epsilon0: 1, domain: 40 }],
      ['subset', { epsilon0: 1, domain: 8, subsetSize: 2 }],
      ['hadamard', { epsilon0: 1, order: 8 }],
      ['local-hash', { epsilon0: 1, hashRange: 5 }],
      ['duchi', { epsilon0: 1 }],
      ['laplace', { epsilon0: 1 }],
    ] as const) {
      const source = mechanismViews({ mechanism: name, parameters, users: 20, path: 'messages' });
      const { verdict } = await auditOf(source, [{ delta: 0.05, allowed: 1 }], 2000, { seed: name });
      expect({ name, verdict }).toEqual({ name, verdict: 'consistent' });
    }
  });
});

/** Kolmogorov's distance. At 4,000 draws of one law each it exceeds 0.05 with probability below 1e-4. */
function largestGap(a: Float64Array, b: Float64Array): number {
  let gap = 0;
  let j = 0;
  for (let i = 0; i < a.length; i++) {
    while (j < b.length && b[j]! <= a[i]!) j++;
    if (a[i + 1] === a[i]) continue;
    gap = Math.max(gap, Math.abs((i + 1) / a.length - j / b.length));
  }
  return gap;
}

/** A randomizer that says of itself what `stated` is, and draws as `drawn` does. */
function lying<Oracle extends FrequencyOracle>(stated: Oracle, drawn: Pick<Oracle, 'randomizeInto'>): Oracle {
  return {
    ...stated,
    randomizeInto: (values, messages, stream) => drawn.randomizeInto(values, messages, stream),
  };
}

describe('caught with few trials', () => {
  it('a budget that is 5 % too large', async () => {
    const stated = generalizedRandomizedResponse({ epsilon0: 4, domain: 2 });
    const claims = claimsOf(stated, 2, [0.01]);
    const wrong = lying(stated, generalizedRandomizedResponse({ epsilon0: 4.2, domain: 2 }));
    const right = await auditOf(messageViews(categoryMessages(stated), 2), claims, 150_000);
    expect(right.verdict).toBe('consistent');
    const caught = await auditOf(messageViews(categoryMessages(wrong), 2), claims, 150_000);
    expect(caught.verdict).toBe('violated');
  });

  it('a deviation taken for a variance', async () => {
    const stated = gaussianMechanism({ sigma: 0.5 });
    const drawn = gaussianMechanism({ sigma: 0.25 });
    const wrong: MeanRandomizer = {
      ...stated,
      randomizeInto: (values, messages, stream) => drawn.randomizeInto(values, messages, stream),
    };
    // As `account gaussian --sigma 0.5 --users 50 --delta 0.01` has it, in three seconds.
    const claims = [{ delta: 0.01, allowed: 2.77108 }];
    expect((await auditOf(messageViews(numberMessages(stated), 50), claims, 4000)).verdict).toBe(
      'consistent',
    );
    expect((await auditOf(messageViews(numberMessages(wrong), 50), claims, 4000)).verdict).toBe('violated');
  });

  it('unary encoding each of whose bits has the whole budget', async () => {
    const stated = symmetricUnaryEncoding({ epsilon0: 1, domain: 4 });
    const wrong = lying(stated, symmetricUnaryEncoding({ epsilon0: 2, domain: 4 }));
    const claims = claimsOf(stated, 20, [0.01]);
    expect((await auditOf(messageViews(categoryMessages(stated), 20), claims, 10_000)).verdict).toBe(
      'consistent',
    );
    expect((await auditOf(messageViews(categoryMessages(wrong), 20), claims, 10_000)).verdict).toBe(
      'violated',
    );
  });

  it('a batch that is not shuffled', async () => {
    const grr = generalizedRandomizedResponse({ epsilon0: 2, domain: 4 });
    const handOn = ((messages: UserMessages) => ({
      columns: messages.columns,
      count: messages.count,
    })) as unknown as Shuffling;
    const claims = claimsOf(grr, 100, [0.01]);
    const source = messageViews(categoryMessages(grr, handOn), 100);
    expect((await auditOf(source, claims, 4000)).verdict).toBe('violated');
    expect((await auditOf(messageViews(categoryMessages(grr), 100), claims, 20_000)).verdict).toBe(
      'consistent',
    );
  });

  it('a sampler that ignores one category', async () => {
    const grr = generalizedRandomizedResponse({ epsilon0: 2, domain: 8 });
    const { own } = grr.supportProbability;
    const wrong = lying(grr, {
      // A loop that ends one too early: no one who holds another category ever sends the last one.
      randomizeInto(values, messages, stream) {
        const { value } = messages.columns;
        for (let i = 0; i < values.length; i++) {
          if (stream.next() < own) value[i] = values[i]!;
          else {
            const other = stream.integerBelow(6);
            value[i] = other < values[i]! ? other : other + 1;
            if (value[i]! > 6) value[i] = 6;
          }
        }
        messages.count = values.length;
      },
    });
    const claims = claimsOf(grr, 100, [0.01]);
    expect((await auditOf(messageViews(categoryMessages(wrong), 100), claims, 20_000)).verdict).toBe(
      'violated',
    );
    expect((await auditOf(messageViews(categoryMessages(grr), 100), claims, 20_000)).verdict).toBe(
      'consistent',
    );
  });
});
