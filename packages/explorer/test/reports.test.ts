/**
 * A report in a real browser. Charts: tooltips with intervals, a legend that switches, phones, dark screens,
 * paper. Tables: they sort.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { type Chart, renderAs } from '@shuffle-dp/experiments/charts';
import { renderReportPage } from '@shuffle-dp/experiments/report';
import { PHONE, seriousBarriers } from './accessibility.ts';
import { browserPath, launch, watchedPage, type Tab } from './browser.ts';

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

const TABLE = renderReportPage({
  title: 'A report',
  headline: ['One protocol errs least.'],
  threatModel: [],
  parties: [],
  figures: [],
  provenance: [],
  command: 'shuffle-dp run a.yaml',
  tables: [
    {
      title: 'Results',
      caption: 'Errors.',
      columns: ['protocol', 'error'],
      rows: [
        ['b', '3.1e-3'],
        ['c', '-'],
        ['a', '1,200'],
        ['d', '< 0.5'],
      ],
    },
  ],
});

const path = browserPath();

describe.skipIf(path === undefined)('a report', () => {
  let browser: Browser;
  let report: string;
  beforeAll(async () => {
    browser = await launch(path!);
    report = renderReportPage({
      title: 'A report',
      headline: ['Errors fall.', 'They fall fast.'],
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

  const opened = async (options: object): Promise<Tab> => {
    const tab = await watchedPage(browser, options);
    await tab.page.setContent(report);
    await tab.page.waitForSelector('.view svg.marks');
    return tab;
  };
  const MARK = '.view .mark-symbol path[fill="#0072B2"]';
  const untilMarks = async (page: Page, count: number): Promise<unknown> =>
    await page.waitForFunction(([mark, wanted]) => document.querySelectorAll(mark).length === wanted, [
      MARK,
      count,
    ] as const);

  // Each in one tab: a report takes longer to open than to look at.
  describe('on a screen', () => {
    let tab: Tab;
    beforeAll(async () => {
      tab = await opened({ colorScheme: 'dark' });
    });
    afterAll(async () => {
      expect(tab.watch).toEqual({ errors: [], requests: [] });
      await tab.page.close();
    });

    it('that is dark follows it without barriers', async () => {
      const { page } = tab;
      expect(await page.locator('.view .mark-symbol path[fill="#3F9BD8"]').count()).toBe(4);
      expect(await page.isVisible('.still')).toBe(false);
      expect(await page.locator('ul.headline li').allTextContents()).toEqual([
        'Errors fall.',
        'They fall fast.',
      ]);
      expect(await seriousBarriers(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
      await untilMarks(page, 4);
    });

    it('tells a point of a chart with its interval, and what it shows to those who listen', async () => {
      const { page } = tab;
      await page.locator(MARK).first().hover({ force: true });
      await page.waitForSelector('#vg-tooltip-element.visible');
      const told = await page.textContent('#vg-tooltip-element');
      expect(told).toContain('users n10');
      expect(told).toContain('error0.1');
      expect(told).toContain('95 % interval0.05 … 0.2');
      const name = 'measured goes from 0.1 at 10 to 0.01 at 100';
      expect(await page.getByRole('img', { name }).count()).toBe(1);
      expect(await seriousBarriers(page)).toEqual([]);
    });

    it('is the picture where it goes to paper', async () => {
      const { page } = tab;
      await page.emulateMedia({ media: 'print' });
      expect(await page.isVisible('.still svg')).toBe(true);
      expect(await page.isVisible('.live')).toBe(false);
    });
  });

  describe('on a phone', () => {
    let tab: Tab;
    beforeAll(async () => {
      tab = await opened({ viewport: PHONE });
    });
    afterAll(async () => {
      expect(tab.watch).toEqual({ errors: [], requests: [] });
      await tab.page.close();
    });

    it('has charts as wide as it, not shrunk, and panels stand one above the other', async () => {
      const { overhang, drawn, width, height } = await tab.page.$eval('.view svg.marks', (svg) => ({
        overhang: document.documentElement.scrollWidth - innerWidth,
        drawn: (svg as SVGSVGElement).viewBox.baseVal.width,
        width: svg.clientWidth,
        height: svg.clientHeight,
      }));
      expect(overhang).toBeLessThanOrEqual(0);
      expect(width).toBe(drawn);
      expect(width).toBeLessThanOrEqual(PHONE.width);
      expect(height).toBeGreaterThan(width);
    });

    it('switches series of a chart by the buttons of its legend', async () => {
      const { page } = tab;
      expect(await page.locator(MARK).count()).toBe(4);
      const button = page.getByRole('button', { name: 'measured' });
      await button.press('Enter');
      await untilMarks(page, 0);
      expect(await button.getAttribute('aria-pressed')).toBe('false');
      expect(await page.locator('.view path[stroke-dasharray="5,4"]').count()).toBe(2);
      await button.click();
      await untilMarks(page, 4);
    });
  });

  it('has a picture where no script runs', async () => {
    const { page } = await watchedPage(browser, { javaScriptEnabled: false });
    await page.setContent(report);
    expect(await page.isVisible('.still svg')).toBe(true);
    expect(await page.isVisible('.live')).toBe(false);
    await page.close();
  });

  const order = (page: Page): Promise<string> =>
    page.$$eval('tbody td:first-child', (cells) => cells.map((cell) => cell.textContent).join(''));

  it('sorts a table by the value of a column, up and then down', async () => {
    const { page, watch } = await watchedPage(browser);
    await page.setContent(TABLE);
    expect(await order(page)).toBe('bcad');
    const head = page.getByRole('button', { name: 'error' });
    await head.click();
    expect(await order(page)).toBe('bdac');
    expect(await page.getAttribute('th:nth-child(2)', 'aria-sort')).toBe('ascending');
    await head.click();
    expect(await order(page)).toBe('adbc');
    await page.getByRole('button', { name: 'protocol' }).click();
    expect(await order(page)).toBe('abcd');
    expect(watch).toEqual({ errors: [], requests: [] });
    await page.close();
  });
});
