/**
 * What every page must hold to: axe finds nothing serious, nothing is wider than the screen, the address
 * stays.
 */
import axe, { type AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { watchedPage, type Tab, type Watch } from './browser.ts';

/** A state of each page, and what is there once it is drawn: its part of the page, which has the title. */
export const PAGES: readonly (readonly [state: string, drawn: string])[] = [
  [
    'account?mechanism=grr&epsilon0=0.5&domain=8&users=300&delta=1e-4&over=domain',
    drawnOn('Account', '.band-edge'),
  ],
  [
    'compose?schedule=grr(epsilon0:0.5,domain:8,users:2000,rounds:4)&delta=1e-6',
    drawnOn('Compose', '.value'),
  ],
  ['budgets?budgets=0.2,0.5,1,1&mechanism=grr&delta=1e-6&levels=4', drawnOn('Own budgets', '.value')],
  ['shuffle?users=500&domain=4&epsilon0=1&colluding=20&seed=7&step=4', drawnOn('Watch a shuffle', '.token')],
  ['runs', drawnOn('Runs', '.empty')],
  ['plan?task=mean&users=2000&epsilon=1&delta=1e-6&bits=8', drawnOn('Plan', '.value')],
];

function drawnOn(title: string, drawn: string): string {
  return `main:has(h1:text-is("${title}")) ${drawn}`;
}

export const PHONE = { width: 390, height: 844 };

export interface PageFaults extends Watch {
  /** What axe calls serious or critical. */
  readonly barriers: readonly string[];
  /** Pixels that the page is wider than the screen. */
  readonly overhang: number;
  readonly hash: string;
}

/** What a page should have at this address. */
export function faultless(state: string): PageFaults {
  return { barriers: [], overhang: 0, hash: `#${state}`, errors: [], requests: [] };
}

/** Of a page that is opened in a tab of its own. @param drawn is waited for */
export async function pageFaults(
  browser: Browser,
  url: string,
  drawn: string,
  options: object,
): Promise<PageFaults> {
  const tab = await watchedPage(browser, options);
  await tab.page.goto(url);
  const faults = await tabFaults(tab, drawn);
  await tab.page.close();
  return faults;
}

/** Of what stands in a tab. @param drawn is waited for */
export async function tabFaults({ page, watch }: Tab, drawn: string): Promise<PageFaults> {
  await page.waitForSelector(drawn, { state: 'attached' });
  const barriers = await seriousBarriers(page);
  const { overhang, hash } = await page.evaluate(() => ({
    overhang: document.documentElement.scrollWidth - innerWidth,
    hash: location.hash,
  }));
  return { ...watch, barriers, overhang: Math.max(0, overhang), hash };
}

interface Axe {
  /** Of other types of results only as much is made as is needed for those. */
  run(options: { readonly resultTypes: readonly string[] }): Promise<AxeResults>;
}

export async function seriousBarriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: Axe }).axe.run({ resultTypes: ['violations'] }),
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}
