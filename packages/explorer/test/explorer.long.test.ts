// @module-tag long
/** Three hundred random points over all mechanisms, and every page in every dress, in a real browser. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { faultless, pageFaults, PAGES } from './accessibility.ts';
import { bundle } from '../build/build-site.ts';
import { accounts } from './accounts.ts';
import { browserPath, builtSite, launch, watchedPage, type BuiltSite } from './browser.ts';
import { expectSameDigits, randomPoints } from './engine/points.ts';

const path = browserPath();

describe.skipIf(path === undefined)('the explorer at length', () => {
  let site: BuiltSite;
  let browser: Browser;
  beforeAll(async () => {
    [site, browser] = await Promise.all([builtSite(), launch(path!)]);
  });
  afterAll(async () => {
    await browser?.close();
    site?.remove();
  });

  it.each(['a hundred points', 'a second hundred', 'a third hundred'])(
    'has the digits of the command at %s, all random',
    async (seed) => {
      const { page, watch } = await watchedPage(browser);
      await page.goto(site.url);
      for (const point of randomPoints(seed, 100)) await expectSameDigits(page, point);
      expect(watch).toEqual({ errors: [], requests: [] });
      await page.close();
    },
  );

  it('composes, accounts for own budgets and plans as Node does, to the last bit', async () => {
    const { script } = await bundle(fileURLToPath(new URL('accounts.ts', import.meta.url)));
    const { page } = await watchedPage(browser);
    await page.goto('about:blank');
    await page.addScriptTag({ content: script });
    const inBrowser = await page.evaluate(() => JSON.stringify(globalThis.shuffleDpAccounts('pages', 20, 3)));
    expect(JSON.parse(inBrowser)).toEqual(JSON.parse(JSON.stringify(accounts('pages', 20, 3))));
    await page.close();
  });

  describe.each(['light', 'dark'])('in %s', (colorScheme) => {
    it.each(PAGES.flatMap(([state, drawn]) => [1400, 390].map((width) => ({ state, drawn, width }))))(
      '$state, $width pixels wide, is sound',
      async ({ state, drawn, width }) => {
        const options = { colorScheme, viewport: { width, height: 900 } };
        expect(await pageFaults(browser, `${site.url}#${state}`, drawn, options)).toEqual(faultless(state));
      },
    );
  });
});
