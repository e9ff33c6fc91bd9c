/** A real browser for the tests, and the explorer as it is built. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { buildSite, SITE } from '../build/build-site.ts';
import { isFresh } from '../../cli/src/explore/explorer-site.ts';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
];

const HOW = `The explorer's tests need Chromium or Chrome: install one (Debian: apt-get install chromium), or name it in
SHUFFLE_DP_BROWSER. Looked for: ${PLACES.join(', ')}`;

/** Where the browser is; undefined where there is none, which only a person's own machine may say. */
export function browserPath(): string | undefined {
  const path = [process.env['SHUFFLE_DP_BROWSER'], ...PLACES].find((place) => place && existsSync(place));
  if (path === undefined) {
    if (process.env['CI'] === 'true') throw new Error(HOW);
    console.warn(HOW);
  }
  return path;
}

/** Without a sandbox only where there is no other user: containers run as root. */
export function launch(executablePath: string): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({ executablePath, args: isRoot ? ['--no-sandbox'] : [] });
}

export interface BuiltSite {
  readonly folder: string;
  /** Its page, opened as a file. */
  readonly url: string;
  remove(): void;
}

/** As for the other packages: of a fresh build, and built from the source where there is none. */
export async function builtSite(): Promise<BuiltSite> {
  const at = (folder: string, remove: () => void): BuiltSite => {
    return { folder, url: pathToFileURL(join(folder, 'index.html')).href, remove };
  };
  if (isFresh(join(SITE, 'index.html'), join(import.meta.dirname, '../..'))) return at(SITE, () => {});
  const folder = mkdtempSync(join(tmpdir(), 'explorer-'));
  await buildSite(folder);
  return at(folder, () => rmSync(folder, { recursive: true }));
}

/** What a page must not do: report errors, or ask anything of the world. */
export interface Watch {
  readonly errors: string[];
  readonly requests: string[];
}

export interface Tab {
  readonly page: Page;
  readonly watch: Watch;
}

/** A tab of its own, in a window that all tabs with these options share: each window takes a process. */
export async function watchedPage(browser: Browser, options: object = {}): Promise<Tab> {
  const page = await (await windowOf(browser, options)).newPage();
  const watch: Watch = { errors: [], requests: [] };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') watch.errors.push(message.text());
  });
  page.on('pageerror', (error) => watch.errors.push(error.message));
  page.on('request', (request) => {
    if (!/^(file|blob|data):/u.test(request.url())) watch.requests.push(request.url());
  });
  return { page, watch };
}

const windows = new WeakMap<Browser, Map<string, Promise<BrowserContext>>>();

function windowOf(browser: Browser, options: object): Promise<BrowserContext> {
  const known = windows.get(browser) ?? new Map<string, Promise<BrowserContext>>();
  windows.set(browser, known);
  const name = JSON.stringify(options);
  const window =
    known.get(name) ?? browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  known.set(name, window);
  return window;
}

/**
 * The site on a host of plain http, as far as the page can tell. @returns its address
 * @param answers what else the host gives, by its path; a path with none of it is missing
 */
export async function onPlainHost(
  page: Page,
  { folder }: BuiltSite,
  answers: Readonly<Record<string, () => unknown>> = {},
): Promise<string> {
  const host = 'http://explorer.test/';
  await page.route(`${host}**`, async (route) => {
    const path = new URL(route.request().url()).pathname.slice(1);
    const file = join(folder, path === '' ? 'index.html' : path);
    if (answers[path] !== undefined) await route.fulfill({ json: await answers[path]() });
    else if (existsSync(file)) await route.fulfill({ path: file });
    else await route.fulfill({ status: path === 'favicon.ico' ? 204 : 404 });
  });
  return host;
}

/** Goes to a state of the page without loading it again. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate((next) => (location.hash = next), hash);
}

/**
 * What stands in the headline once it is sharp. @param of the setting as a command, where the page says it
 */
export async function sharpAnswer(
  page: Page,
  of?: string,
): Promise<{ text: string; lower: number; upper: number }> {
  const selector = of === undefined ? '.value' : `.value[data-of="${of}"]`;
  await page.waitForSelector(`.figure:has([data-work=""]) ${selector}`, { timeout: 120_000 });
  return page.$eval('.value', (element) => {
    const { dataset, textContent } = element as HTMLElement;
    return { text: textContent, lower: Number(dataset['lower']), upper: Number(dataset['upper']) };
  });
}
