/** The PDF of a chart, read by a reader of its own: one page of vectors and text, with what the SVG shows. */
import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { expect, it } from 'vitest';
import type { Chart } from '../../src/charts/chart.ts';
import { renderVectors } from '../../src/charts/render.ts';

const CHART: Chart = {
  id: 'errors',
  title: 'Errors against ε',
  x: { title: 'users n', scale: 'log' },
  y: { title: 'error', scale: 'log' },
  panels: [
    {
      title: '',
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
        { name: 'printed', style: 'printed', points: [{ x: 10, y: 0.12 }] },
      ],
    },
  ],
};

const { svg, pdf } = await renderVectors(CHART);
const read = await getDocument({ data: Uint8Array.from(pdf), verbosity: 0 }).promise;
const page = await read.getPage(1);
const { fnArray, argsArray } = await page.getOperatorList();
const count = (...wanted: readonly number[]): number => fnArray.filter((one) => wanted.includes(one)).length;

it('is one page as large as the SVG, 96 pixels an inch', () => {
  expect(read.numPages).toBe(1);
  const [, width, height] = / width="(\d+)" height="(\d+)"/u.exec(svg)!;
  expect(page.view).toEqual([0, 0, Number(width) * 0.75, Number(height) * 0.75]);
});

it('has the words of the SVG as text', async () => {
  const words = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/gu)].map(([, text]) => text!);
  const { items } = await page.getTextContent();
  const texts = items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? [item.str] : []));
  expect(words).toContain('Errors against ε');
  expect(texts.toSorted()).toEqual(words.toSorted());
});

it('has no picture, and a line for every line of the SVG', () => {
  expect(count(OPS.paintImageXObject, OPS.paintInlineImageXObject, OPS.paintImageMaskXObject)).toBe(0);
  const stroked = [...svg.matchAll(/<(?:path|line|rect)[^>]* stroke="#[^>]*>/gu)].filter(
    ([mark]) => !/opacity="0"|stroke-width="0"/u.test(mark),
  );
  expect(stroked.length).toBeGreaterThan(20);
  expect(count(OPS.stroke)).toBe(stroked.length);
});

it('draws dashes where the curve is expected', () => {
  const dashes = argsArray.filter((_, i) => fnArray[i] === OPS.setDash).map(([dash]) => String(dash));
  expect(dashes.filter((dash) => dash === '5,4')).toHaveLength(2);
});

it('repeats byte by byte', async () => {
  expect(Buffer.from((await renderVectors(CHART)).pdf).equals(Buffer.from(pdf))).toBe(true);
});

it('says its title and what it shows', async () => {
  const { info } = await read.getMetadata();
  expect(info).toMatchObject({ Title: 'Errors against ε' });
  expect((info as { Subject: string }).Subject).toContain('measured goes from 0.1 at 10 to 0.01 at 100');
  expect(svg).toMatch(/^<svg role="img" aria-label="Errors against ε: error over users n\. measured goes/u);
});
