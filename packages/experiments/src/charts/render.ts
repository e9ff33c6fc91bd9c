/**
 * Charts to SVG, PNG and PDF, without a browser and without the machine's own fonts, so that the bytes
 * repeat.
 */
import { buffer } from 'node:stream/consumers';
import { renderAsync } from '@resvg/resvg-js';
import PdfDocument from 'pdfkit';
import * as vega from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import type { Chart } from './chart.ts';
import { describeChart } from './describe-chart.ts';
import { fontFiles, plainFonts } from './fonts.ts';
import { PdfCanvas } from './pdf-canvas.ts';
import { textWidth } from './text-width.ts';
import { FONT } from './theme.ts';
import { toVegaLite, type VegaLiteSpec } from './vega-lite-spec.ts';

interface TextItem {
  readonly text?: unknown;
  readonly fontSize?: number;
  readonly fontWeight?: string | number;
  /** Pixels beyond which Vega cuts the text off; 0 for none. */
  readonly limit?: number;
}

/** Vega guesses widths of text where there is no canvas; give it the font's. */
function installTextWidths(): void {
  const measure = (item: TextItem, text: unknown = item.text): number => {
    const bold = item.fontWeight === 'bold' || Number(item.fontWeight) >= 600;
    const lines = Array.isArray(text) ? text : [text];
    const widths = lines.map((line) => textWidth(String(line ?? ''), item.fontSize ?? 11, bold));
    return Math.min(item.limit || Infinity, Math.max(0, ...widths));
  };
  const metrics = (vega as unknown as { textMetrics: { width: typeof measure } }).textMetrics;
  metrics.width = measure;
}

/**
 * The chart as SVG and as PDF, with text measured by the fonts that come along: the same bytes on every
 * machine.
 */
export async function renderVectors(
  chart: Chart,
  spec: VegaLiteSpec = toVegaLite(chart),
): Promise<{ svg: string; pdf: Uint8Array }> {
  installTextWidths();
  // Ids in SVGs are numbers that go on from chart to chart: bytes are not to depend on what was drawn before.
  (vega as unknown as { resetSVGDefIds: () => void }).resetSVGDefIds();
  const view = new vega.View(vega.parse(compile(spec as unknown as TopLevelSpec).spec), { renderer: 'none' });
  try {
    const svg = await svgOf(view);
    return { svg, pdf: await pdfOf(view, sizeOf(svg), chart) };
  } finally {
    view.finalize();
  }
}

/** With its description as the text that stands for it. */
async function svgOf(view: vega.View): Promise<string> {
  const label = view.description().replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  return (await view.toSVG()).replace('<svg ', `<svg role="img" aria-label="${label}" `);
}

const POINTS_PER_PIXEL = 0.75;

async function pdfOf(view: vega.View, [width, height]: [number, number], chart: Chart): Promise<Uint8Array> {
  const size = [width * POINTS_PER_PIXEL, height * POINTS_PER_PIXEL];
  // A file cannot be without a time; a fixed one, as builds that repeat have it.
  const info = { Title: chart.title, Subject: describeChart(chart), CreationDate: new Date(0) };
  // None of the fonts that every reader has: both come along.
  const page = new PdfDocument({ size, margin: 0, font: '', info, lang: 'en', displayTitle: true });
  const bytes = buffer(page);
  const [regular, bold] = plainFonts();
  page.registerFont('regular', regular).registerFont('bold', bold).scale(POINTS_PER_PIXEL);
  await view.toCanvas(1, { externalContext: new PdfCanvas(page, { regular: 'regular', bold: 'bold' }) });
  page.end();
  return new Uint8Array(await bytes);
}

function sizeOf(svg: string): [number, number] {
  const [, width, height] = / width="([\d.]+)" height="([\d.]+)"/u.exec(svg) ?? [];
  return [Number(width), Number(height)];
}

const PNG_SCALE = 2;

/** A PNG at twice the size of the SVG, made beside what else is done. */
export async function svgToPng(svg: string): Promise<Uint8Array> {
  const image = await renderAsync(svg, {
    fitTo: { mode: 'zoom', value: PNG_SCALE },
    font: { loadSystemFonts: false, fontFiles: fontFiles(), defaultFontFamily: FONT },
    background: 'white',
  });
  return image.asPng();
}

/** In the form that the name of a file ends in: .pdf, .png, else SVG. */
export async function renderAs(file: string, chart: Chart): Promise<string | Uint8Array> {
  const { svg, pdf } = await renderVectors(chart);
  const ending = file.slice(file.lastIndexOf('.')).toLowerCase();
  return ending === '.pdf' ? pdf : ending === '.png' ? svgToPng(svg) : svg;
}
