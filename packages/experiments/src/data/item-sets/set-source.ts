/** Sources of set-valued data: every draw is a data set in which all users hold exactly s items. */
import { onDemand, type HeldSets, type RandomStream, type SetValuedData } from '@shuffle-dp/core';
import { levelCounts } from '@shuffle-dp/protocols';
import { LIMITS } from '../../documents/limits.ts';
import type { Padding } from '../data-fields.ts';
import { DataFileError } from '../data-file.ts';
import {
  collectedSets,
  profileOf,
  setsOfAtLeast,
  type RawSets,
  type SetCollection,
  type SetProfile,
} from './item-sets.ts';
import { MOST_LISTED_ITEMS, paddedLaw, profileOfLaw } from './padded-law.ts';
import { paddedDomain, padder, paddedPopulation, paddingEffect, type PaddingEffect } from './padding.ts';
import { assignLevels } from './privacy-levels.ts';
import { drawSetCounts, drawSets, sumOfLevels, type SetLaw } from './set-law.ts';
import type { ItemShape } from '../item-weights.ts';
import { GENERATED, requireAvailable, type SourceUsers } from '../sources/source-users.ts';
import { setsOfSizes } from './sets-of-sizes.ts';
import { drawSuccessiveCounts, ringingTimes } from './successive-counts.ts';
import { syntheticSets } from './synthetic-sets.ts';

export interface SetSource extends SourceUsers {
  readonly holds: 'sets';
  /** Size of the domain after padding. */
  readonly domain: number;
  readonly items: number;
  /**
   * One random data set; levels by exact shares, absent where there is one level. @throws RangeError for too
   * many users
   */
  draw(users: number, shares: readonly number[], stream: RandomStream): HeldSets;
  /**
   * One random data set of the same law whose users are only counted, at a cost that does not grow with them;
   * absent where the law of whole sets is not known. Whole sets are counted too, but where `countsFrom` is
   * given.
   */
  readonly drawCounts?: (users: number, shares: readonly number[], stream: RandomStream) => SetValuedData;
  /**
   * Fewer users than so many are drawn all the same, as there are too many sets to count each; absent where
   * all are counted.
   */
  readonly countsFrom?: number;
  /**
   * What padding changes of the frequencies; absent where sets come in one size, or too many sets are
   * possible to know.
   */
  readonly paddingEffect?: () => PaddingEffect;
}

/** How sets from a file become sets of one size. */
interface SizeChoice {
  readonly items: number;
  readonly padding: Padding;
}

export function fileSource(
  collection: SetCollection,
  { items, padding }: SizeChoice,
  file: string,
): SetSource {
  const sets = padding === 'truncate' ? setsOfAtLeast(collection, items) : collection;
  if (sets.offsets.length < 2) throw new DataFileError(file, `has no user with ${items} items`);
  if (padding === 'fill' && items > sets.domain) {
    throw new DataFileError(file, `has ${sets.domain} items in all, too few for ${items} a user`);
  }
  // Of all users of the file, those who are left out included: padding has no population of others.
  return paddedSource({ ...collectedSets(sets), profile: profileOf(collection) }, items, padding);
}

export function paddedSource(raw: RawSets, items: number, padding: Padding): SetSource {
  const domain = paddedDomain(raw.domain, items, padding);
  const population = raw.profile ? paddedPopulation(raw.profile, raw.domain, items, padding) : null;
  const rawLaw = raw.domain <= MOST_LISTED_ITEMS ? raw.law : undefined;
  if (rawLaw) {
    const law = onDemand(() => paddedLaw(rawLaw(), raw.domain, items, padding));
    const profile = (): SetProfile => raw.profile ?? profileOfLaw(rawLaw(), raw.domain);
    return {
      ...listedSource({ domain, items, law, population }),
      paddingEffect: () => paddingEffect(profile(), raw.domain, items, padding),
    };
  }
  const { profile } = raw;
  const smallest = padding === 'truncate' ? items : 1;
  return {
    holds: 'sets',
    domain,
    items,
    available: raw.available,
    notices: [],
    ...(profile && { paddingEffect: () => paddingEffect(profile, raw.domain, items, padding) }),
    draw(users, shares, stream) {
      requireAvailable(users, raw.available);
      const next = raw.open(users, stream.fork('sets'));
      const padStream = stream.fork('padding');
      const padInto = padder(raw.domain, items, padding);
      const buffer = new Uint16Array(Math.max(items, raw.largest));
      const rows = new Uint16Array(users * items);
      for (let u = 0; u < users; u++) {
        let size = next(buffer);
        while (size < smallest) size = next(buffer);
        padInto(buffer, size, rows, u * items, padStream);
      }
      return setData({ users, domain, items, rows }, population, shares, stream);
    },
  };
}

interface SyntheticSizes {
  readonly domain: number;
  readonly items: number;
  /** Shares of users who hold 1, 2, … items before padding; absent where all hold `items`. */
  readonly sizes?: readonly number[] | undefined;
  readonly padding?: Padding | undefined;
}

export function syntheticSource(
  shape: ItemShape,
  { domain, items, sizes, padding }: SyntheticSizes,
): SetSource {
  if (sizes) return paddedSource(setsOfSizes(shape, domain, sizes), items, padding ?? 'fill');
  const { law, population, probabilities, drawInto } = syntheticSets(shape, domain, items);
  if (law) return listedSource({ domain, items, law, population });
  const drawn = drawnSource({ domain, items, population }, (rows, stream) => {
    const setStream = stream.fork('sets');
    for (let start = 0; start < rows.length; start += items) drawInto(rows, start, setStream);
  });
  if (domain * (items + 1) > MOST_CHOICES) return drawn;
  const times = onDemand(() => ringingTimes(probabilities, items));
  return {
    ...drawn,
    countsFrom: Math.floor(LIMITS.drawnItems.most / items) + 1,
    drawCounts: (users, shares, stream) => {
      const usersOfLevel = Float64Array.from(levelCounts(users, shares));
      const holdersOfLevel = drawSuccessiveCounts(
        { probabilities, items, times: times() },
        usersOfLevel,
        stream.fork('item counts'),
      );
      const histogram = sumOfLevels(holdersOfLevel, domain);
      const data = { kind: 'sets', users, domain, items, histogram } as const;
      return { ...data, counts: { usersOfLevel, holdersOfLevel }, ...(population ? { population } : {}) };
    },
  };
}

/** Items times what may have been chosen before each: tables of 64 MB and less. */
const MOST_CHOICES = 2 ** 22;

/** Users who are drawn, as many as one likes. @param drawAll writes the sets of all users, row-major */
function drawnSource(
  { domain, items, population }: Omit<ListedSets, 'law'>,
  drawAll: (rows: Uint16Array, stream: RandomStream) => void,
): SetSource {
  return {
    holds: 'sets',
    domain,
    items,
    ...GENERATED,
    draw(users, shares, stream) {
      const rows = new Uint16Array(users * items);
      drawAll(rows, stream);
      return setData({ users, domain, items, rows }, population, shares, stream);
    },
  };
}

interface ListedSets {
  readonly domain: number;
  readonly items: number;
  readonly law: () => SetLaw;
  readonly population: Float64Array | null;
}

/** Users whose whole sets have a known law, one by one or counted. */
function listedSource({ domain, items, law, population }: ListedSets): SetSource {
  return {
    ...drawnSource({ domain, items, population }, (rows, stream) =>
      drawSets(law(), rows, stream.fork('whole sets')),
    ),
    drawCounts: (users, shares, stream) => ({
      ...drawSetCounts(law(), users, shares, stream),
      ...(population ? { population } : {}),
    }),
  };
}

/** The sets with what follows from them: the histogram, and the levels of their users. */
function setData(
  sets: Pick<HeldSets, 'users' | 'domain' | 'items' | 'rows'>,
  population: Float64Array | null,
  shares: readonly number[],
  stream: RandomStream,
): HeldSets {
  const { users, domain, rows } = sets;
  const histogram = new Float64Array(domain);
  for (const item of rows) histogram[item]!++;
  return {
    kind: 'sets',
    ...sets,
    histogram,
    ...(shares.length > 1 ? { levelOf: assignLevels(users, shares, stream.fork('levels')) } : {}),
    ...(population ? { population } : {}),
  };
}
