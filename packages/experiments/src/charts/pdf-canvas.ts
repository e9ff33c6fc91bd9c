/**
 * A page of a PDF as the context of a canvas, which is what Vega draws on: paths stay paths, and text stays
 * text. It has what Vega calls for charts without pictures and gradients.
 *
 * A canvas keeps a path in the coordinates in which it was begun, paints it later and more than once, and
 * lets styles change between. A PDF allows neither, so that a path is held back in coordinates of the page
 * until it is painted.
 */
import { picked } from '@shuffle-dp/core';
import type PdfDocument from 'pdfkit';

type Page = InstanceType<typeof PdfDocument>;

/** [a, b, c, d, e, f]: (x, y) goes to (a x + c y + e, b x + d y + f). */
type Matrix = readonly [number, number, number, number, number, number];

type Step = (page: Page) => void;

/** Two handles and the end. */
type CurveParameters = [ax: number, ay: number, bx: number, by: number, x: number, y: number];

/** Centre, radius, angles in radians. */
type ArcParameters = [
  x: number,
  y: number,
  radius: number,
  from: number,
  to: number,
  counterclockwise?: boolean,
];

const STYLES = {
  fillStyle: '#000000',
  strokeStyle: '#000000',
  globalAlpha: 1,
  lineWidth: 1,
  lineCap: 'butt' as 'butt' | 'round' | 'square',
  lineJoin: 'miter' as 'miter' | 'round' | 'bevel',
  miterLimit: 10,
  font: '11px sans-serif',
  textAlign: 'start',
};
const STYLE_NAMES = Object.keys(STYLES) as (keyof typeof STYLES)[];

/** What hollow marks are filled with. */
const NOTHING = 'transparent';

/** Names of the fonts that the document has registered. */
export interface PdfFonts {
  readonly regular: string;
  readonly bold: string;
}

export class PdfCanvas {
  fillStyle = STYLES.fillStyle;
  strokeStyle = STYLES.strokeStyle;
  globalAlpha = STYLES.globalAlpha;
  lineWidth = STYLES.lineWidth;
  lineCap = STYLES.lineCap;
  lineJoin = STYLES.lineJoin;
  miterLimit = STYLES.miterLimit;
  font = STYLES.font;
  textAlign = STYLES.textAlign;
  lineDashOffset = 0;

  readonly #page: Page;
  readonly #fonts: PdfFonts;
  readonly #saved: {
    readonly styles: typeof STYLES;
    readonly dash: readonly number[];
    readonly at: Matrix;
  }[] = [];
  #dash: readonly number[] = [];
  #at: Matrix = [1, 0, 0, 1, 0, 0];
  #path: Step[] = [];

  constructor(page: Page, fonts: PdfFonts) {
    this.#page = page;
    this.#fonts = fonts;
  }

  save(): void {
    const styles = picked<PdfCanvas, keyof typeof STYLES>(this, ...STYLE_NAMES);
    this.#saved.push({ styles, dash: this.#dash, at: this.#at });
    this.#page.save();
  }

  restore(): void {
    const saved = this.#saved.pop();
    if (saved === undefined) return;
    Object.assign(this, saved.styles);
    this.#dash = saved.dash;
    this.#at = saved.at;
    this.#page.restore();
  }

  translate(x: number, y: number): void {
    this.#transform([1, 0, 0, 1, x, y]);
  }

  rotate(angle: number): void {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    this.#transform([cos, sin, -sin, cos, 0, 0]);
  }

  scale(x: number, y: number): void {
    this.#transform([x, 0, 0, y, 0, 0]);
  }

  setLineDash(dash: readonly number[]): void {
    this.#dash = dash;
  }

  beginPath(): void {
    this.#path = [];
  }

  closePath(): void {
    this.#path.push((page) => page.closePath());
  }

  moveTo(x: number, y: number): void {
    const [px, py] = this.#placed(x, y);
    this.#path.push((page) => page.moveTo(px, py));
  }

  lineTo(x: number, y: number): void {
    if (this.#path.length === 0) {
      this.moveTo(x, y);
      return;
    }
    const [px, py] = this.#placed(x, y);
    this.#path.push((page) => page.lineTo(px, py));
  }

  quadraticCurveTo(cx: number, cy: number, x: number, y: number): void {
    const [pcx, pcy] = this.#placed(cx, cy);
    const [px, py] = this.#placed(x, y);
    this.#path.push((page) => page.quadraticCurveTo(pcx, pcy, px, py));
  }

  bezierCurveTo(...[ax, ay, bx, by, x, y]: CurveParameters): void {
    const [pax, pay] = this.#placed(ax, ay);
    const [pbx, pby] = this.#placed(bx, by);
    const [px, py] = this.#placed(x, y);
    this.#path.push((page) => page.bezierCurveTo(pax, pay, pbx, pby, px, py));
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.moveTo(x, y);
    this.lineTo(x + width, y);
    this.lineTo(x + width, y + height);
    this.lineTo(x, y + height);
    this.closePath();
  }

  /** By cubic curves of at most a quarter turn, which are off by less than 0.03 % of the radius. */
  arc(...[x, y, radius, from, to, counterclockwise = false]: ArcParameters): void {
    const turn = 2 * Math.PI;
    const whole = Math.abs(to - from) >= turn;
    const forward = whole ? turn : (((to - from) % turn) + turn) % turn;
    const sweep = counterclockwise ? forward - turn : forward;
    const pieces = Math.max(1, Math.ceil(Math.abs(sweep) / (Math.PI / 2) - 1e-9));
    const step = sweep / pieces;
    const handle = (4 / 3) * Math.tan(step / 4) * radius;
    const start: [number, number] = [x + radius * Math.cos(from), y + radius * Math.sin(from)];
    this.lineTo(...start);
    for (let i = 0; i < pieces; i++) {
      const [a, b] = [from + i * step, from + (i + 1) * step];
      this.bezierCurveTo(
        x + radius * Math.cos(a) - handle * Math.sin(a),
        y + radius * Math.sin(a) + handle * Math.cos(a),
        x + radius * Math.cos(b) + handle * Math.sin(b),
        y + radius * Math.sin(b) - handle * Math.cos(b),
        x + radius * Math.cos(b),
        y + radius * Math.sin(b),
      );
    }
  }

  fill(): void {
    if (this.fillStyle === NOTHING || !this.#trace()) return;
    this.#page.fillColor(this.fillStyle, this.globalAlpha).fill();
  }

  stroke(): void {
    if (this.strokeStyle === NOTHING || this.#path.length === 0) return;
    this.#page
      .lineWidth(this.lineWidth)
      .lineCap(this.lineCap)
      .lineJoin(this.lineJoin)
      .miterLimit(this.miterLimit)
      .strokeColor(this.strokeStyle, this.globalAlpha);
    // A solid line is drawn by [1, 0] too, which a PDF would take for dots.
    if (this.#dash.some((gap, i) => i % 2 === 1 && gap > 0)) {
      this.#page.dash(this.#dash[0]!, { space: this.#dash[1]!, phase: this.lineDashOffset });
    } else this.#page.undash();
    this.#trace();
    this.#page.stroke();
  }

  clip(): void {
    if (this.#trace()) this.#page.clip();
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.beginPath();
    this.rect(x, y, width, height);
    this.fill();
  }

  fillText(text: string, x: number, y: number): void {
    const size = Number.parseFloat(/([\d.]+)px/u.exec(this.font)?.[1] ?? '11');
    const font = /\b(bold|[6-9]00)\b/u.test(this.font) ? this.#fonts.bold : this.#fonts.regular;
    const page = this.#page.save().transform(...this.#at);
    page.font(font).fontSize(size).fillColor(this.fillStyle, this.globalAlpha);
    const width = page.widthOfString(text);
    const before =
      this.textAlign === 'center' ? width / 2 : /^(right|end)$/u.test(this.textAlign) ? width : 0;
    page.text(text, x - before, y, { lineBreak: false, baseline: 'alphabetic' }).restore();
  }

  /** @returns whether there is a path */
  #trace(): boolean {
    for (const step of this.#path) step(this.#page);
    return this.#path.length > 0;
  }

  #placed(x: number, y: number): [number, number] {
    const [a, b, c, d, e, f] = this.#at;
    return [a * x + c * y + e, b * x + d * y + f];
  }

  #transform([a, b, c, d, e, f]: Matrix): void {
    const [pa, pb, pc, pd, pe, pf] = this.#at;
    this.#at = [
      pa * a + pc * b,
      pb * a + pd * b,
      pa * c + pc * d,
      pb * c + pd * d,
      pa * e + pc * f + pe,
      pb * e + pd * f + pf,
    ];
  }
}
