/** A hundred random points over all mechanisms, and every page in every dress, in a real browser. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { faultless, pageFaults, PAGES } from './accessibility.ts';
import { browserPath, builtSite, launch, watchedPage, type BuiltSite } from './browser.ts';
import { expectSameDigits, randomPoints } from './points.ts';

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

  it('has the digits of the command at a hundred random points', async () => {
    const { page, watch } = await watchedPage(browser);
    await page.goto(site.url);
    for (const point of randomPoints('a hundred points', 100)) await expectSameDigits(page, point);
    expect(watch).toEqual({ errors: [], requests: [] });
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
