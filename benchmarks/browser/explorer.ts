/**
 * How fast the explorer answers in a real browser, opened as a file: the start, and single steps of the
 * slider of epsilon0. A step ends with the frame that shows its number; the next one begins when the last is
 * sharp. Numbers of a machine with nothing else to do.
 */
import { browserPath, builtSite, goTo, launch } from '../../packages/explorer/test/browser.ts';

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof launch>>['newPage']>>;

const STARTS = 5;
const STEPS = 40;
const SETTINGS = [
  'grr&domain=16',
  'binary-rr',
  'oue&domain=16',
  'subset&domain=16&subsetSize=3',
  'local-hash',
  'hadamard',
  'duchi',
  'laplace',
] as const;

interface Step {
  /** Milliseconds to the first number of the new setting, and to the sharp one. */
  readonly first: number;
  readonly sharp: number;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]!;
}

/** Milliseconds from the request of the page until its controls are there, and its first number. */
async function start(page: Page, url: string): Promise<{ controls: number; number: number }> {
  await page.goto('about:blank');
  await page.goto(url, { waitUntil: 'commit' });
  const now = (): Promise<number> => page.evaluate(() => performance.now());
  await page.waitForSelector('.fields select');
  const controls = await now();
  await page.waitForSelector('.value');
  return { controls, number: await now() };
}

/** In the page: moves the slider once, and waits for its two answers. */
async function step(place: number): Promise<Step> {
  const slider = document.querySelector<HTMLInputElement>('input[aria-label="epsilon0, slider"]')!;
  const shown = (): string | undefined => document.querySelector<HTMLElement>('.value')?.dataset['of'];
  const isSharp = (): boolean => document.querySelector('.figure [data-work=""]') !== null;
  const frame = (): Promise<unknown> => new Promise((done) => requestAnimationFrame(done));
  const before = shown();
  const began = performance.now();
  slider.value = String(place);
  slider.dispatchEvent(new Event('input', { bubbles: true }));
  while (shown() === before) await frame();
  const first = performance.now() - began;
  while (!isSharp()) await frame();
  return { first, sharp: performance.now() - began };
}

const path = browserPath();
if (path === undefined) throw new Error('no browser');
const [site, browser] = await Promise.all([builtSite(), launch(path)]);
try {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  // tsx names functions by a helper that a page has not.
  await page.addInitScript({ content: 'globalThis.__name = (named) => named' });
  const starts: Awaited<ReturnType<typeof start>>[] = [];
  // One after the other, or they would wait for each other.
  // oxlint-disable-next-line no-await-in-loop
  for (let i = 0; i < STARTS; i++) starts.push(await start(page, site.url));
  const median = (of: 'controls' | 'number'): string =>
    percentile(
      starts.map((one) => one[of]),
      0.5,
    ).toFixed(0);
  console.log(`start: controls after ${median('controls')} ms, first number after ${median('number')} ms\n`);
  console.log('| mechanism | first, median | first, 95 % | sharp, median | sharp, 95 % |');
  console.log('| --- | ---: | ---: | ---: | ---: |');
  for (const setting of SETTINGS) {
    await goTo(page, `#account?mechanism=${setting}&users=10000&delta=1e-6`);
    await page.waitForFunction(
      (name) => document.querySelector<HTMLElement>('.value')?.dataset['of']?.includes(` ${name} `),
      setting.split('&')[0],
    );
    await page.waitForSelector('.figure [data-work=""]');
    const steps: Step[] = [];
    for (let i = 0; i < STEPS; i++) steps.push(await page.evaluate(step, 120 + 4 * i));
    const told = (of: keyof Step, share: number): string =>
      `${percentile(
        steps.map((one) => one[of]),
        share,
      ).toFixed(0)} ms`;
    console.log(
      `| ${setting.split('&')[0]} | ${told('first', 0.5)} | ${told('first', 0.95)} | ${told('sharp', 0.5)} | ${told('sharp', 0.95)} |`,
    );
  }
} finally {
  await browser.close();
  site.remove();
}
