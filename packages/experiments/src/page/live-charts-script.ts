/**
 * Live charts: a script of the page. Each chart is drawn as wide as its place, in the colours of the screen,
 * again when either changes; the buttons of its legend switch series.
 */
import { HIDDEN_SERIES } from '../charts/chart-layers.ts';
import type { LiveSpec } from '../charts/vega-lite-spec.ts';
import { COLOURS, DARK_COLOURS, DARK_THEME, THEME } from '../charts/theme.ts';

/**
 * Widths in pixels: what the axis of a panel takes, what a panel is at most, and from where on panels stand
 * side by side.
 */
const AXIS_WIDTH = 78;
const MOST_WIDTH = { single: 640, several: 460 } as const;
const SIDE_BY_SIDE = 700;

/** The specifications in the order of the figures of the page. */
export function liveChartsScript(specs: readonly LiveSpec[]): string {
  const data = {
    specs,
    light: { ...THEME, background: null, padding: 4 },
    dark: { ...merged(THEME, DARK_THEME), padding: 4 },
    darkColours: Object.fromEntries(COLOURS.map((colour, i) => [colour, DARK_COLOURS[i]])),
  };
  return `const charts = ${JSON.stringify(data).replaceAll('<', String.raw`\u003c`)};\n${SCRIPT}`;
}

/** Two levels deep, as a theme is. */
function merged(theme: Readonly<Record<string, unknown>>, over: Readonly<Record<string, unknown>>): object {
  const both = Object.entries(over).map(([key, value]) => {
    const below = theme[key];
    const deep = typeof value === 'object' && value !== null && typeof below === 'object';
    return [key, deep ? { ...below, ...value } : value];
  });
  return { ...theme, ...Object.fromEntries(both) };
}

const SCRIPT = `
const darkScreen = matchMedia('(prefers-color-scheme: dark)');
const redraws = charts.specs.map((spec, index) => {
  const live = document.getElementById('figure-' + index);
  const place = live.querySelector('.view');
  const buttons = [...live.querySelectorAll('.series button')];
  let view = null;
  let drawing = Promise.resolve();
  const hidden = () => buttons.filter((one) => one.getAttribute('aria-pressed') === 'false').map((one) => one.dataset.series);
  const draw = async () => {
    const room = live.clientWidth;
    const columns = room < ${SIDE_BY_SIDE} ? 1 : spec.columns;
    const most = spec.concat.length === 1 ? ${MOST_WIDTH.single} : ${MOST_WIDTH.several};
    const width = Math.max(180, Math.min(most, Math.floor(room / columns) - ${AXIS_WIDTH}));
    let text = JSON.stringify({
      ...spec,
      columns,
      spacing: 26,
      concat: spec.concat.map((panel) => ({ ...panel, width })),
      params: [{ name: '${HIDDEN_SERIES}', value: hidden() }],
      config: darkScreen.matches ? charts.dark : charts.light,
    });
    if (darkScreen.matches) text = text.replace(/#[0-9A-F]{6}/g, (colour) => charts.darkColours[colour] ?? colour);
    const drawn = await vegaEmbed(place, JSON.parse(text), {
      renderer: 'svg',
      tooltip: { theme: darkScreen.matches ? 'dark' : 'light' },
      actions: { export: true, source: false, compiled: false, editor: false },
    });
    const picture = place.querySelector('svg.marks');
    picture.setAttribute('role', 'img');
    picture.setAttribute('aria-label', place.dataset.description);
    place.querySelector('summary').setAttribute('aria-label', 'Save the chart');
    view?.finalize();
    view = drawn.view;
  };
  const redraw = () => (drawing = drawing.then(draw).catch(() => {
    // The picture stays where the chart cannot be drawn.
    live.hidden = true;
    live.previousElementSibling.hidden = false;
  }));
  for (const button of buttons) {
    button.addEventListener('click', () => {
      button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') === 'false'));
      drawing = drawing.then(() => view?.signal('${HIDDEN_SERIES}', hidden()).runAsync());
    });
  }
  live.previousElementSibling.hidden = true;
  live.hidden = false;
  redraw();
  return redraw;
});
let width = innerWidth;
let waiting;
addEventListener('resize', () => {
  if (innerWidth === width) return;
  width = innerWidth;
  clearTimeout(waiting);
  waiting = setTimeout(() => redraws.forEach((redraw) => redraw()), 150);
});
darkScreen.addEventListener('change', () => redraws.forEach((redraw) => redraw()));
`;
