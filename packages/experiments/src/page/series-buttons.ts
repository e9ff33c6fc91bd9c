/** The legend of a live chart: a button for each series, which switches it off and on. */
import { DARK_COLOURS, COLOURS } from '../charts/theme.ts';
import type { SeriesLook } from '../charts/legend.ts';
import { escapeHtml } from './escape-html.ts';

/** Of marks in a box of 14 by 14 around the origin. */
const MARKS: Readonly<Record<string, string>> = {
  circle: 'M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z',
  square: 'M-4,-4h8v8h-8z',
  'triangle-up': 'M0,-5L5,4H-5z',
  diamond: 'M0,-6L4,0L0,6L-4,0z',
  'triangle-down': 'M0,5L5,-4H-5z',
  cross: 'M-2,-6h4v4h4v4h-4v4h-4v-4h-4v-4h4z',
  'triangle-right': 'M5,0L-4,5V-5z',
  'triangle-left': 'M-5,0L4,5V-5z',
  stroke: 'M-6,-1.5h12v3h-12z',
  wedge: 'M0,-6L2.5,5H-2.5z',
};

export function seriesButtons(looks: readonly SeriesLook[]): string {
  const buttons = looks.map(
    (look) =>
      `<li><button type="button" aria-pressed="true" data-series="${escapeHtml(look.name)}">${swatch(look)}${escapeHtml(look.name)}</button></li>`,
  );
  return `<ul class="series" aria-label="Series, each shown or hidden by its button">${buttons.join('')}</ul>`;
}

function swatch({ colour, shape, style, joined }: SeriesLook): string {
  const dark = DARK_COLOURS[COLOURS.indexOf(colour as (typeof COLOURS)[number])] ?? colour;
  const dash = style === 'theory' ? ' stroke-dasharray="5 4"' : '';
  const line = joined ? `<path d="M-14,0H14" fill="none" stroke-width="1.8"${dash}/>` : '';
  const hollow = style === 'printed' ? ' fill="none" stroke-width="1.6"' : ' fill="currentColor"';
  const mark = style === 'theory' ? '' : `<path d="${MARKS[shape] ?? MARKS['circle']}"${hollow}/>`;
  return `<svg aria-hidden="true" width="30" height="14" viewBox="-15 -7 30 14" stroke="currentColor" stroke-width="0" style="color:light-dark(${colour},${dark})">${line}${mark}</svg>`;
}
