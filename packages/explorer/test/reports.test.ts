/**
 * A report in a real browser. Charts: tooltips with intervals, a legend that switches, phones, dark screens,
 * paper. Tables: they sort.
 */
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

const TABLE = renderReportPage({
  title: 'A report',
  headline: 'One protocol errs least.',
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

// Each test has a tab of its own.
describe.skipIf(path === undefined).concurrent('a report', () => {
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

  const untilMarks = async (page: Page, count: number): Promise<unknown> =>
    await page.waitForFunction(
      (wanted) => document.querySelectorAll('.view .mark-symbol path[fill="#0072B2"]').length === wanted,
      count,
    );

  it('tells a point of a chart with its interval, and what it shows to those who listen', async () => {
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

  it('switches series of a chart by the buttons of its legend, on a phone too', async () => {
    const page = await opened({ viewport: PHONE });
    expect(await marks(page)).toBe(4);
    const button = page.getByRole('button', { name: 'measured' });
    await button.press('Enter');
    await untilMarks(page, 0);
    expect(await button.getAttribute('aria-pressed')).toBe('false');
    expect(await page.locator('.view path[stroke-dasharray="5,4"]').count()).toBe(2);
    await button.click();
    await untilMarks(page, 4);
    await page.close();
  });

  it('has charts as wide as a phone, not shrunk, and panels stand one above the other', async () => {
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
    await untilMarks(page, 4);
    await page.emulateMedia({ media: 'print' });
    expect(await page.isVisible('.still svg')).toBe(true);
    expect(await page.isVisible('.live')).toBe(false);
    await page.close();
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
