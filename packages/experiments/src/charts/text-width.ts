/**
 * Widths of text in DejaVu Sans. Without a browser or a canvas Vega guesses them, and legends and margins
 * come out wrong; these are the advance widths of the font that the pictures are rendered with.
 */

/** Advance widths of the characters 32 to 126 in thousandths of the font size. */
// prettier-ignore
const REGULAR = [
  318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636,
  636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
  575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685,
  611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579,
  278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
];

// prettier-ignore
const BOLD = [
  348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365, 696, 696, 696,
  696, 696, 696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830, 683,
  683, 821, 837, 372, 372, 775, 637, 995, 837, 850, 733, 850, 770, 720, 682, 812, 774, 1103, 771,
  724, 725, 457, 365, 457, 838, 500, 500, 675, 716, 593, 716, 678, 435, 716, 712, 343, 343, 665,
  343, 1042, 712, 687, 716, 716, 493, 595, 478, 712, 652, 924, 645, 652, 582, 712, 365, 712, 838,
];

/** Greek letters, signs and superscripts outside ASCII are close to this. */
const OTHER = 620;
const SUPERSCRIPT = 401;

/** Width of `text` in pixels at `fontSize` pixels. */
export function textWidth(text: string, fontSize: number, bold = false): number {
  const table = bold ? BOLD : REGULAR;
  let thousandths = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    const superscript = (code >= 0x2070 && code <= 0x207f) || code === 0xb9 || code === 0xb2 || code === 0xb3;
    thousandths += table[code - 32] ?? (superscript ? SUPERSCRIPT : OTHER);
  }
  return (thousandths * fontSize) / 1000;
}

/** In lines of at most `width` pixels, broken at spaces; a longer word has a line of its own. */
export function wrappedText(text: string, width: number, fontSize: number, bold = false): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!;
    const line = last === '' ? word : `${last} ${word}`;
    if (last !== '' && textWidth(line, fontSize, bold) > width) lines.push(word);
    else lines[lines.length - 1] = line;
  }
  return lines;
}
