/**
 * What a package exports, another one needs, or a reader's program: the check for unused code takes an entry
 * for use enough.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { PACKAGE_ENTRIES } from './package-entries.ts';
import { ROOT } from '../reader-pages.ts';

/**
 * For programs of one's own, by entry: errors to catch, bounds and mechanisms by themselves, and what a
 * page or a benchmark measures.
 */
const FOR_USERS: Readonly<Record<string, string>> = {
  core: 'BracketError logRegularizedIncompleteBeta sampleLaplace',
  randomizers: `diameterOf duchiMechanism generalMetricProfile lineLaplaceProfile localHashing piecewiseMechanism planarLaplace
    planarLaplaceProfile privUnitProfile vectorResponseProfile`,
  accounting: `asymmetricVariationRatioEpsilon blanketEpsilon cheuZhilyaevBound cloneCountLaw correctedCells correctedVariationRatioEpsilon
    discreteLaplaceDivergence largestLocalBudget logVariationRatioDivergence mixtureAtoms polyaDifferenceNoise sharedSumDelta sharpDelta sharpEpsilon
    sharpestDelta sharpestEpsilon shuffledRenyiDivergence splitAndMixShares`,
  protocols: 'aggregateGradients poisoningGain sampleFakeSupport',
  sealed: 'KEY_BYTES decodeMessages hpkeOpener keyPairOf',
  queue: 'DisagreementError',
};

const PACKAGES = readdirSync(join(ROOT, 'packages'));
const WORDS = new Map(PACKAGES.map((name) => [name, wordsBelow(join(ROOT, 'packages', name, 'src'))]));

function wordsBelow(source: string): Set<string> {
  const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/u.test(file))
    // An example in a comment is no use.
    .map((file) => readFileSync(join(source, file), 'utf8').replaceAll(/@example.*$/gmu, ''));
  return new Set(texts.flatMap((text) => text.match(/[A-Za-z_]\w*/gu) ?? []));
}

/** Of programs; the testkit is for tests. */
const ENTRIES = PACKAGE_ENTRIES.filter(({ entry }) => entry !== 'core/testkit');

it.each(ENTRIES)('$entry exports nothing that nobody else uses', async ({ name, entry, file }) => {
  const exported = Object.keys((await import(pathToFileURL(file).href)) as object);
  const needed = (word: string): boolean =>
    PACKAGES.some((other) => other !== name && WORDS.get(other)!.has(word));
  const forUsers = (FOR_USERS[entry] ?? '').split(/\s+/u).filter((word) => word !== '');
  expect(exported.filter((word) => !needed(word)).sort()).toEqual(forUsers.sort());
});
