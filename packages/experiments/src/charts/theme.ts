/** How all charts look: readable in print, in grey, and for colour-blind readers. */

export const FONT = 'DejaVu Sans';

/** Okabe and Ito's palette, the yellow last because it is faint on white. */
export const COLOURS = [
  '#0072B2',
  '#D55E00',
  '#009E73',
  '#CC79A7',
  '#56B4E9',
  '#E69F00',
  '#000000',
  '#7F7F7F',
  '#882255',
  '#B8A800',
] as const;

/** The place of the one colour that is none: for what all else is held against. */
export const GREY = COLOURS.indexOf('#7F7F7F');

/** The same colours on a dark page, in their order. */
export const DARK_COLOURS = [
  '#3F9BD8',
  '#F07F2E',
  '#22C297',
  '#E29BC3',
  '#8FD3F7',
  '#F2B632',
  '#FFFFFF',
  '#A6A6A6',
  '#C9609A',
  '#D6C72B',
] as const;

/** A mark per series, so that colour is never the only difference. */
export const SHAPES = [
  'circle',
  'square',
  'triangle-up',
  'diamond',
  'triangle-down',
  'cross',
  'triangle-right',
  'triangle-left',
  'stroke',
  'wedge',
] as const;

/** What differs on a dark page. */
export const DARK_THEME = {
  background: null,
  axis: {
    labelColor: '#cfd8dd',
    titleColor: '#cfd8dd',
    gridColor: '#2c343a',
    domainColor: '#8b979e',
    tickColor: '#8b979e',
  },
  title: { color: '#e6eaec' },
  view: { stroke: '#4a555c' },
} as const;

export const THEME = {
  background: 'white',
  font: FONT,
  padding: 8,
  title: { font: FONT, fontSize: 13, subtitleFont: FONT, subtitleFontSize: 11, anchor: 'start', offset: 10 },
  axis: {
    labelFont: FONT,
    titleFont: FONT,
    labelFontSize: 10.5,
    titleFontSize: 11,
    titleFontWeight: 'normal',
    labelFlush: false,
    gridColor: '#e4e4e4',
    domainColor: '#444444',
    tickColor: '#444444',
  },
  header: { labelFont: FONT, labelFontSize: 12 },
  view: { stroke: '#bbbbbb' },
  // A chart is one picture, with a description of the whole: words at each mark would not be read.
  mark: { aria: false },
} as const;
