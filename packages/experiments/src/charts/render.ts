/** Charts to SVG and PNG, without a browser and without the machine's own fonts, so that the bytes repeat. */
import { createRequire } from 'node:module';
import { Resvg } from '@resvg/resvg-js';
import * as vega from 'vega';
import { compile } from 'vega-lite';
import type { Chart } from './chart.ts';
import { textWidth } from './text-width.ts';
import { FONT } from './theme.ts';
import { toVegaLite } from './vega-lite-spec.ts';

interface TextItem {
  readonly text?: unknown;
  readonly fontSize?: number;
  readonly fontWeight?: string | number;
}

/** Vega guesses widths of text where there is no canvas; give it the font's. */
function installTextWidths(): void {
  const measure = (item: TextItem, text: unknown = item.text): number => {
    const bold = item.fontWeight === 'bold' || Number(item.fontWeight) >= 600;
    const lines = Array.isArray(text) ? text : [text];
    return Math.max(0, ...lines.map((line) => textWidth(String(line ?? ''), item.fontSize ?? 11, bold)));
  };
  const metrics = (vega as unknown as { textMetrics: { width: typeof measure } }).textMetrics;
  metrics.width = measure;
}

/** Ids in SVGs are numbers that go on from chart to chart: a page begins anew, so that its bytes repeat. */
export function restartSvgIds(): void {
  (vega as unknown as { resetSVGDefIds: () => void }).resetSVGDefIds();
}

/** The chart as SVG, with text measured by the fonts that come along: the same bytes on every machine. */
export async function renderSvg(chart: Chart): Promise<string> {
  installTextWidths();
  const view = new vega.View(vega.parse(compile(toVegaLite(chart)).spec), { renderer: 'none' });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}

const PNG_SCALE = 2;

/** A PNG at twice the size of the SVG. */
export function svgToPng(svg: string): Uint8Array {
  const require = createRequire(import.meta.url);
  const fontFiles = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((file) =>
    require.resolve(`dejavu-fonts-ttf/ttf/${file}`),
  );
  const image = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: PNG_SCALE },
    font: { loadSystemFonts: false, fontFiles, defaultFontFamily: FONT },
    background: 'white',
  });
  return image.render().asPng();
}
