/** The fonts that come along, for pictures that do not depend on those of the machine. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { onDemand } from '@shuffle-dp/core';

/** Paths of the regular and the bold font. */
export function fontFiles(): [regular: string, bold: string] {
  const require = createRequire(import.meta.url);
  const path = (file: string): string => require.resolve(`dejavu-fonts-ttf/ttf/${file}`);
  return [path('DejaVuSans.ttf'), path('DejaVuSans-Bold.ttf')];
}

/**
 * The fonts for what sets text by widths alone, as Vega measures it: without their tables of ligatures and of
 * pairs that move together, which take half of the time of a PDF to read.
 */
export const plainFonts = onDemand((): [regular: Buffer, bold: Buffer] => {
  const [regular, bold] = fontFiles();
  return [withoutLayout(readFileSync(regular)), withoutLayout(readFileSync(bold))];
});

const LAYOUT_TABLES = ['GSUB', 'GPOS', 'kern'];

/**
 * A font file lists its tables, from byte 12 on and in 16 bytes each, by names of four letters; readers pass
 * over names they do not know.
 */
function withoutLayout(font: Buffer): Buffer {
  const tables = font.readUInt16BE(4);
  for (let entry = 12; entry < 12 + 16 * tables; entry += 16)
    if (LAYOUT_TABLES.includes(font.toString('latin1', entry, entry + 4)))
      font.write('none', entry, 'latin1');
  return font;
}
