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
 * pairs that move together, and without names of glyphs, which take most of the time of a PDF to read.
 */
export const plainFonts = onDemand((): [regular: Buffer, bold: Buffer] => {
  const [regular, bold] = fontFiles();
  return [plain(readFileSync(regular)), plain(readFileSync(bold))];
});

const LAYOUT_TABLES = ['GSUB', 'GPOS', 'kern'];
/** The table that has names of glyphs begins with its version, of which this one has none. */
const [NAMES_TABLE, WITHOUT_NAMES] = ['post', 0x00030000];

/**
 * A font file lists its tables, from byte 12 on and in 16 bytes each: a name of four letters, which readers
 * pass over where they do not know it, a checksum, and where the table stands.
 */
function plain(font: Buffer): Buffer {
  const tables = font.readUInt16BE(4);
  for (let entry = 12; entry < 12 + 16 * tables; entry += 16) {
    const name = font.toString('latin1', entry, entry + 4);
    if (LAYOUT_TABLES.includes(name)) font.write('none', entry, 'latin1');
    if (name === NAMES_TABLE) font.writeUInt32BE(WITHOUT_NAMES, font.readUInt32BE(entry + 8));
  }
  return font;
}
