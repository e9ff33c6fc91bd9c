/** The built explorer in a real browser, opened as a file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { accountCitations, accountMechanism, MECHANISMS } from '@shuffle-dp/experiments/account';
import { endOfRange } from '@shuffle-dp/core';
import { plan } from '@shuffle-dp/experiments/plan';
import { bundle } from '../build/build-site.ts';
import { accountCommand } from '../src/account/account-texts.ts';
import type { ShownMechanism } from '../src/account/contract.ts';
import {
  browserPath,
  builtSite,
  goTo,
  launch,
  onPlainHost,
  sharpAnswer,
  watchedPage,
  type BuiltSite,
  type Tab,
} from './browser.ts';
import { faultless, PAGES, PHONE, tabFaults } from './accessibility.ts';
import { lateAndEmpty } from './late-run.ts';
import { expectSameDigits, randomPoints } from './engine/points.ts';
import { copiedCommand, whileChanged } from './address/changed-question.ts';
import { readmeExample } from './readme-example.ts';
import { REFUSED, toldInPlace } from './refusals.ts';
import { sample } from './sample.ts';

/** What scripts hand to the page. */
interface Handed {
  readonly shuffleDpEngines: Readonly<Record<string, string>>;
  readonly shuffleDpMechanisms: readonly ShownMechanism[];
}

const path = browserPath();

// One test after another: a page goes on computing its charts until it is left, beside whatever else is open.
describe.skipIf(path === undefined)('the explorer, opened as a file', () => {
  let site: BuiltSite;
  let browser: Browser;
  beforeAll(async () => {
    [site, browser] = await Promise.all([builtSite(), launch(path!)]);
  });
  afterAll(async () => {
    await browser?.close();
    site?.remove();
  });

  it('loads at most 120 kB, gzipped, before it answers', () => {
    const files = ['index.html', 'engines/account.js'];
    const bytes = files.map((file) => gzipSync(readFileSync(join(site.folder, file)), { level: 9 }).length);
    expect(bytes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(120_000);
  });

  // In one tab, from page to page: to open the explorer takes longer than most of them.
  describe('on a phone in the dark', () => {
    let tab: Tab;
    beforeAll(async () => {
      tab = await watchedPage(browser, { colorScheme: 'dark', viewport: PHONE });
      await tab.page.goto(`${site.url}#runs`);
    });
    afterAll(() => tab.page.close());

    it.each(PAGES)(
      '%s: nothing serious for axe, nothing beyond the width, the address stays',
      async (state, drawn) => {
        await goTo(tab.page, `#${state}`);
        expect(await tabFaults(tab, drawn)).toEqual(faultless(state));
      },
    );

    it('plans as Node does, sorts its table, and hands out the command', async () => {
      const { page, watch } = tab;
      await goTo(page, '#plan?task=mean&users=2000&epsilon=1&delta=1e-6&bits=8');
      await page.waitForFunction(() => document.querySelector('.work')?.textContent === 'sharp');
      const { rows } = plan({ task: 'mean', users: 2000, epsilon: 1, delta: 1e-6, limits: { bits: 8 } });
      const shown = (): Promise<(string | null)[]> =>
        page.$$eval('table.plan tbody .name', (names) => names.map((name) => name.textContent));
      expect(await shown()).toEqual(rows.map(({ protocol }) => protocol));
      expect(Number(await page.getAttribute('.value', 'data-error')) / rows[0]!.error).toBeCloseTo(1, 9);
      await page.getByRole('button', { name: 'sort by bits' }).click();
      await page.waitForFunction(() => location.hash.includes('sort=bits'));
      expect(await shown()).toEqual(rows.toSorted((a, b) => a.bits - b.bits).map(({ protocol }) => protocol));
      const command = 'shuffle-dp plan --task mean --users 2000 --epsilon 1 --delta 1e-6 --max-bits 8';
      expect(await copiedCommand(page)).toBe(command);
      expect(await whileChanged(page, '#plan?task=mean&users=2001&bits=8')).toEqual({
        badge: 'of the former inputs',
        copied: 0,
        lack: 'A config is given once every protocol has been looked at.',
        command: command.replace('2000', '2001'),
      });
      expect(watch).toEqual({ errors: [], requests: [] });
    });
  });

  describe('on the page Account', () => {
    let tab: Tab;
    const GRR = 'shuffle-dp account grr --epsilon0 1 --domain 16 --users 1000 --delta 1e-6';
    beforeAll(async () => {
      tab = await watchedPage(browser);
      await tab.page.goto(`${site.url}#account?mechanism=grr&users=1000`);
    });
    afterEach(() => expect(tab.watch).toEqual({ errors: [], requests: [] }));
    afterAll(() => tab.page.close());

    it('names all mechanisms, and asks an engine of the one that is chosen', async () => {
      const { page } = tab;
      await sharpAnswer(page);
      const engines = (): Promise<string[]> =>
        page.evaluate(() => Object.keys((globalThis as unknown as Handed).shuffleDpEngines));
      expect(await engines()).toEqual(['account']);
      const names = await page.$$eval('.fields select option', (options) =>
        options.map((option) => (option as HTMLOptionElement).value),
      );
      expect(names.toSorted()).toEqual(MECHANISMS.map(({ name }) => name).toSorted());
      await page.locator('.fields select').first().selectOption('duchi');
      const duchi = { mechanism: 'duchi', parameters: { epsilon0: 1 }, users: 1000, target: { delta: 1e-6 } };
      const { upper } = await sharpAnswer(page, accountCommand(duchi));
      expect(upper).toBe(accountMechanism('duchi', { epsilon0: 1 }, 1000, { delta: 1e-6 }).bracket.upper);
      expect(await engines()).toEqual(['account', 'mechanisms']);
      // Limits that are infinite stay so on their way into the page.
      const highs = MECHANISMS.flatMap(({ parameters, example }) =>
        parameters.map(({ high }) => endOfRange(high.value, example) ?? Infinity),
      );
      expect(highs).toContain(Infinity);
      const inPage = (): number[] =>
        (globalThis as unknown as Handed).shuffleDpMechanisms.flatMap(({ parameters }) =>
          parameters.map(({ high }) => high),
        );
      expect(await page.evaluate(inPage)).toEqual(highs);
    });

    // One of each of the two engines.
    it('says the digits of the command at random points, and asks nothing of the world', async () => {
      for (const point of randomPoints('explorer', 2, ['grr', 'duchi']))
        await expectSameDigits(tab.page, point);
      expect(tab.watch.requests).toEqual([]);
    });

    it('answers at an epsilon, with a curve of deltas down to almost none', async () => {
      const point = { mechanism: 'grr', parameters: { epsilon0: 1, domain: 16 }, users: 1000 };
      await expectSameDigits(tab.page, { ...point, target: { epsilon: 0.1 } });
      await tab.page.waitForFunction(() => document.querySelector('.chart-head .work') === null);
      expect(await tab.page.$$eval('.chart .tick', (found) => found.length)).toBeGreaterThan(4);
    });

    it('leaves no old answer beside what is no number', async () => {
      for (const refused of REFUSED) {
        const { told, left } = await toldInPlace(tab.page, refused);
        expect([told, left]).toEqual([expect.stringContaining(refused.message), 0]);
      }
    });

    it('reads a chart by the keys, and asks for no parameter that may be left out', async () => {
      const { page } = tab;
      await goTo(page, '#account?mechanism=local-hash&epsilon0=1&users=1000');
      await page.waitForFunction(() => document.querySelector('.value')?.matches('[data-of*="local-hash"]'));
      await sharpAnswer(page);
      expect(await page.locator('.field.wrong').count()).toBe(0);
      await page.locator('.chart svg').first().focus();
      expect(await page.evaluate(() => document.activeElement!.tagName)).toBe('svg');
      await page.keyboard.press('ArrowRight');
      await page.waitForSelector('.chart .readout');
    });

    it('says in one line what is refused, at the field, and recovers', async () => {
      const { page } = tab;
      await goTo(page, '#account?mechanism=grr&epsilon0=-1');
      await page.waitForSelector('.refusal');
      expect(await page.textContent('.refusal')).toContain('epsilon0 = -1: must be in [1e-9, 300]');
      expect(await page.textContent('.field.wrong .hint')).toContain('must be in');
      const { link, says } = readmeExample();
      await goTo(page, link);
      expect((await sharpAnswer(page, GRR.replace('1000', '10000'))).text).toBe(says);
      expect(await page.$('.refusal')).toBeNull();
    });

    it('hands out the literature of an account, which is loaded then', async () => {
      const { page } = tab;
      await goTo(page, '#account?mechanism=grr&epsilon0=1&domain=16&users=1000&delta=1e-6');
      await sharpAnswer(page, GRR);
      await page.getByRole('button', { name: 'Cite' }).click();
      await page.waitForSelector('.copied pre');
      const account = accountMechanism('grr', { epsilon0: 1, domain: 16 }, 1000, { delta: 1e-6 });
      const works = accountCitations(account).map(({ bibtex }) => bibtex);
      expect(await page.textContent('.copied pre')).toBe(works.join('\n\n'));
    });

    it('draws a published bound that a data set exceeds as such', async () => {
      const { page } = tab;
      await goTo(page, '#account?draw=variation-ratio');
      await page.waitForSelector('.line .cross', { state: 'attached' });
      expect(await page.$$eval('.line line.refuted', (lines) => lines.length)).toBeGreaterThan(0);
      expect(await page.getAttribute('.chart svg', 'aria-label')).toContain(
        'Exceeded by a data set: variation-ratio',
      );
    });

    it('says of a link what it names that is not there, until another page is opened', async () => {
      const { page } = tab;
      const notice = 'main p[role=status]';
      await goTo(page, '#account?mechanism=grrr&epsilon0=1');
      await page.waitForSelector(notice);
      expect(await page.textContent(notice)).toMatch(/^There is no mechanism “grrr” here. This is /u);
      await goTo(page, '#budget');
      await page.waitForFunction(() => location.hash.startsWith('#account'));
      expect(await page.textContent(notice)).toBe('There is no page “budget” here. This is Account.');
      await goTo(page, '#budgets?budget=1&level=2');
      await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Own budgets');
      expect(await page.textContent(notice)).toContain('no field “budget”, “level” here.');
      await goTo(page, '#account');
      await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Account');
      expect(await page.$(notice)).toBeNull();
    });

    it('keeps a moved slider in the address, from which the same state comes back', async () => {
      const { page } = tab;
      await goTo(page, '#account?mechanism=grr&users=1000');
      await page.getByLabel('epsilon0, slider').focus();
      for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
      // The address follows the last key, not each.
      await page.waitForFunction(() => {
        const moved = document.activeElement!.getAttribute('aria-valuetext');
        return new URLSearchParams(location.hash.split('?')[1]).get('epsilon0') === moved;
      });
      const epsilon0 = Number(/epsilon0=([\d.]+)/u.exec(await page.evaluate(() => location.hash))![1]);
      expect(epsilon0).toBeGreaterThan(1);
      const command = GRR.replace('epsilon0 1', `epsilon0 ${epsilon0}`);
      const moved = await sharpAnswer(page, command);
      const { bracket } = accountMechanism('grr', { epsilon0: 1, domain: 16 }, 1000, { delta: 1e-6 });
      expect(moved.upper).toBeGreaterThan(bracket.upper);
      await page.reload();
      expect(await sharpAnswer(page, command)).toEqual(moved);
    });
  });

  it('has verdicts of the very values that stand beside them, at the levels of own budgets', async () => {
    const { page } = await watchedPage(browser);
    await page.goto(`${site.url}#budgets?mechanism=gaussian&levels=1`);
    await page.waitForSelector('.headline .work[data-work=""]');
    const certified = Number(await page.getAttribute('.headline .value', 'data-lower'));
    const rows = await page.$$eval('table.bounds tbody tr', (all) =>
      all.map((row) => ({
        value: Number(row.querySelector('td.number')!.textContent),
        verdict: row.querySelector('td.at-values')!.textContent,
      })),
    );
    const refuted = rows.filter(({ verdict }) => verdict === 'refuted here');
    expect(refuted.length).toBeGreaterThan(0);
    for (const { value } of refuted) expect(value).toBeLessThan(certified);
    await page.close();
  });

  it('shows what a page on a host of plain http may not copy', async () => {
    const { page, watch } = await watchedPage(browser);
    const host = await onPlainHost(page, site);
    await page.goto(`${host}#shuffle?users=30`);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.waitForSelector('.copied pre');
    expect(await page.textContent('.copied')).toContain(`Select and copy:Close${host}#shuffle?users=30`);
    expect(watch.errors).toEqual([]);
    await page.close();
  });

  it('shows the run that is chosen, also where the summary of another comes late, or has no cells', async () => {
    const { page, watch } = await watchedPage(browser);
    const { host, give } = await lateAndEmpty(page, site);
    const asked = page.waitForRequest(/late/u);
    await page.goto(`${host}#runs`);
    await asked;
    await page.getByRole('link', { name: 'empty' }).click();
    await page.getByRole('heading', { name: 'The empty one' }).waitFor();
    const late = page.waitForResponse(/late/u);
    give();
    await (await late).finished();
    // Time for what the page would make of it.
    await page.waitForTimeout(100);
    expect(await page.locator('.answers').textContent()).toContain('This run has no cells.');
    await page.goBack();
    await page.getByRole('heading', { name: 'The late one' }).waitFor();
    expect(watch.errors).toEqual([]);
    await page.close();
  });

  it('computes what Node computes, to the last bit', async () => {
    const { script } = await bundle(fileURLToPath(new URL('sample.ts', import.meta.url)));
    const { page } = await watchedPage(browser);
    await page.goto('about:blank');
    await page.addScriptTag({ content: script });
    expect(await page.evaluate(() => globalThis.shuffleDpSample())).toEqual(sample());
    await page.close();
  });
});
