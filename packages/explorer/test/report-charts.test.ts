/** Charts of a report in a real browser: tooltips with intervals, a legend that switches, phones, dark screens, paper. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { type Chart, renderAs } from '@shuffle-dp/experiments/charts';
import { renderReportPage } from '@shuffle-dp/experiments/report';
import { PHONE, seriousBarriers } from './accessibility.ts';
import { browserPath, launch, watchedPage } from './browser.ts';

const CHART: Chart = {
  id: 'errors',
  title: 'Errors',
  x: { title: 'users n', scale: 'log' },
  y: { title: 'error', scale: 'log' },
  panels: ['few', 'many'].map((title) => ({
    title,
    series: [
      {
        name: 'measured',
        style: 'measured',
        points: [
          { x: 10, y: 0.1, low: 0.05, high: 0.2 },
          { x: 100, y: 0.01, low: 0.005, high: 0.02 },
        ],
      },
      {
        name: 'expected',
        style: 'theory',
        points: [
          { x: 10, y: 0.11 },
          { x: 100, y: 0.012 },
        ],
      },
    ],
  })),
};

const path = browserPath();

describe.skipIf(path === undefined)('the chart of a report', () => {
  let browser: Browser;
  let report: string;
  beforeAll(async () => {
    browser = await launch(path!);
    report = renderReportPage({
      title: 'A report',
      headline: 'Errors fall.',
      threatModel: [],
      parties: [],
      figures: [
        { chart: CHART, svg: String(await renderAs('errors.svg', CHART)), caption: 'Bars: intervals.' },
      ],
      tables: [],
      provenance: [],
      command: 'shuffle-dp run a.yaml',
    });
  });
  afterAll(async () => {
    await browser?.close();
  });

  const opened = async (options: object = {}): Promise<Page> => {
    const { page, watch } = await watchedPage(browser, options);
    page.once('close', () => expect(watch).toEqual({ errors: [], requests: [] }));
    await page.setContent(report);
    await page.waitForSelector('.view svg.marks');
    return page;
  };
  const marks = (page: Page): Promise<number> =>
    page.locator('.view .mark-symbol path[fill="#0072B2"]').count();

  it('tells a point with its interval, and what it shows to those who listen', async () => {
    const page = await opened();
    await page.locator('.view .mark-symbol path[fill="#0072B2"]').first().hover({ force: true });
    await page.waitForSelector('#vg-tooltip-element.visible');
    const told = await page.textContent('#vg-tooltip-element');
    expect(told).toContain('users n10');
    expect(told).toContain('error0.1');
    expect(told).toContain('95 % interval0.05 … 0.2');
    const name = 'measured goes from 0.1 at 10 to 0.01 at 100';
    expect(await page.getByRole('img', { name }).count()).toBe(1);
    expect(await seriousBarriers(page)).toEqual([]);
    await page.close();
  });

  it('switches series by the buttons of its legend, on a phone too', async () => {
    const page = await opened({ viewport: PHONE });
    expect(await marks(page)).toBe(4);
    const button = page.getByRole('button', { name: 'measured' });
    await button.press('Enter');
    await expect.poll(() => marks(page)).toBe(0);
    expect(await button.getAttribute('aria-pressed')).toBe('false');
    expect(await page.locator('.view path[stroke-dasharray="5,4"]').count()).toBe(2);
    await button.click();
    await expect.poll(() => marks(page)).toBe(4);
    await page.close();
  });

  it('is as wide as a phone, not shrunk, and panels stand one above the other', async () => {
    const page = await opened({ viewport: PHONE });
    const { overhang, drawn, width, height } = await page.$eval('.view svg.marks', (svg) => ({
      overhang: document.documentElement.scrollWidth - innerWidth,
      drawn: (svg as SVGSVGElement).viewBox.baseVal.width,
      width: svg.clientWidth,
      height: svg.clientHeight,
    }));
    expect(overhang).toBeLessThanOrEqual(0);
    expect(width).toBe(drawn);
    expect(width).toBeLessThanOrEqual(PHONE.width);
    expect(height).toBeGreaterThan(width);
    await page.close();
  });

  it('follows a dark screen without barriers, and is the picture on paper', async () => {
    const page = await opened({ colorScheme: 'dark' });
    expect(await page.locator('.view .mark-symbol path[fill="#3F9BD8"]').count()).toBe(4);
    expect(await page.isVisible('.still')).toBe(false);
    expect(await seriousBarriers(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(() => marks(page)).toBe(4);
    await page.emulateMedia({ media: 'print' });
    expect(await page.isVisible('.still svg')).toBe(true);
    expect(await page.isVisible('.live')).toBe(false);
    await page.close();
  });

  it('is the picture where no script runs', async () => {
    const { page } = await watchedPage(browser, { javaScriptEnabled: false });
    await page.setContent(report);
    expect(await page.isVisible('.still svg')).toBe(true);
    expect(await page.isVisible('.live')).toBe(false);
    await page.close();
  });
});
