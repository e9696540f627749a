/**
 * Makes apps/invoicing/assets/generated/inter.json: the document font, cut into tiers and ready to be put into a PDF.
 *
 *   node_modules/.bin/node tools/fonts/generate.mjs
 *
 * A document embeds only the tiers that it needs, each as it is: nothing of a font is parsed when a document is rendered
 * (that was most of the cost of a PDF). Run it again only when the font's version or a tier changes; the output is committed.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { deflateSync } from 'node:zlib';
import subsetFont from 'subset-font';

const require = createRequire(import.meta.url);
const fontkit = require('@pdf-lib/fontkit');
const source = new URL('../../node_modules/@expo-google-fonts/inter/', import.meta.url);
const target = new URL('../../apps/invoicing/assets/', import.meta.url);

const WEIGHTS = { regular: '400Regular/Inter_400Regular.ttf', semibold: '600SemiBold/Inter_600SemiBold.ttf' };

const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const codes = (text) => [...text].map((char) => char.codePointAt(0));
/** Order matters: a character belongs to the first tier that has it. */
const TIERS = {
  german: [...range(0x20, 0x7e), ...range(0xa1, 0xac), ...range(0xae, 0xff), ...codes('ẞ‐‑–—‘’‚“”„†•…‰‹›€−→□')],
  latin: [...range(0x100, 0x24f), ...range(0x1e00, 0x1eff), ...codes('№™℅₤₦₩₪₫₱₲₴₵₸₹₺₽₿≈≠≤≥∞←↑↓↔✓')],
  greekCyrillic: [...range(0x370, 0x3ff), ...range(0x1f00, 0x1fff), ...range(0x400, 0x52f)],
};

/** The tables that a CIDFontType2 needs (ISO 32000-1, 9.9): the rest is for text engines, and glyphs are addressed by number here. */
const KEPT_TABLES = ['cvt ', 'fpgm', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'prep'];

/** An sfnt file with only those tables, in tag order, each on a four-byte boundary. */
function keepTables(file) {
  const tables = range(0, file.readUInt16BE(4) - 1)
    .map((i) => file.subarray(12 + 16 * i, 28 + 16 * i))
    .map((row) => ({
      tag: row.toString('latin1', 0, 4),
      sum: row.readUInt32BE(4),
      body: file.subarray(row.readUInt32BE(8), row.readUInt32BE(8) + row.readUInt32BE(12)),
    }))
    .filter((table) => KEPT_TABLES.includes(table.tag));
  const header = Buffer.alloc(12 + 16 * tables.length);
  header.writeUInt32BE(0x00010000, 0);
  header.writeUInt16BE(tables.length, 4);
  const power = Math.floor(Math.log2(tables.length));
  header.writeUInt16BE(16 * 2 ** power, 6);
  header.writeUInt16BE(power, 8);
  header.writeUInt16BE(16 * tables.length - 16 * 2 ** power, 10);
  const bodies = [];
  let offset = header.length;
  tables.forEach((table, i) => {
    header.write(table.tag, 12 + 16 * i, 'latin1');
    header.writeUInt32BE(table.sum, 16 + 16 * i);
    header.writeUInt32BE(offset, 20 + 16 * i);
    header.writeUInt32BE(table.body.length, 24 + 16 * i);
    const padded = Buffer.alloc(Math.ceil(table.body.length / 4) * 4);
    table.body.copy(padded);
    bodies.push(padded);
    offset += padded.length;
  });
  return Buffer.concat([header, ...bodies]);
}

const hex4 = (n) => n.toString(16).toUpperCase().padStart(4, '0');
const utf16 = (code) =>
  [...Buffer.from(String.fromCodePoint(code), 'utf16le').swap16()]
    .map((b) => b.toString(16).toUpperCase().padStart(2, '0'))
    .join('');

/** Which text a glyph stands for, so that text can be searched, copied and read aloud. */
function toUnicode(pairs) {
  const lines = [
    '/CIDInit /ProcSet findresource begin',
    '12 dict begin',
    'begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def',
    '/CMapType 2 def',
    '1 begincodespacerange',
    '<0000><FFFF>',
    'endcodespacerange',
  ];
  for (let i = 0; i < pairs.length; i += 100) {
    const chunk = pairs.slice(i, i + 100);
    lines.push(
      `${chunk.length} beginbfchar`,
      ...chunk.map(([glyph, code]) => `<${hex4(glyph)}><${utf16(code)}>`),
      'endbfchar',
    );
  }
  return [...lines, 'endcmap', 'CMapName currentdict /CMap defineresource pop', 'end', 'end'].join('\n');
}

/** Pair kerning among letters and the punctuation around them, in 1/1000 em; figures keep their distance. `[left, right, adjustment]` by glyph. */
function kerningOf(font, chars, scale) {
  const kerned = chars.filter((code) => /[\p{L}.,:;'’“”„\-–/()]/u.test(String.fromCodePoint(code)));
  const pairs = [];
  for (const left of kerned) {
    for (const right of kerned) {
      const run = font.layout(String.fromCodePoint(left, right), ['kern']);
      if (run.glyphs.length !== 2) continue;
      const adjustment = Math.round((run.positions[0].xAdvance - run.glyphs[0].advanceWidth) * scale);
      if (adjustment !== 0) pairs.push([run.glyphs[0].id, run.glyphs[1].id, adjustment]);
    }
  }
  return pairs;
}

async function makeTier(weight, tier, chars, original) {
  // Layout closure for `tnum` alone: it keeps the figures of one width, which columns of amounts need.
  const file = await subsetFont(original, String.fromCodePoint(...chars), {
    targetFormat: 'sfnt',
    keepFeatures: ['tnum', 'kern'],
    noHinting: true,
  });
  const font = fontkit.create(file);
  const scale = 1000 / font.unitsPerEm;
  const glyphs = chars
    .map((code) => [code, font.glyphForCodePoint(code)])
    .map(([code, glyph]) => [code, glyph.id, Math.round(glyph.advanceWidth * scale)]);
  const digits =
    tier === 'german'
      ? codes('0123456789').map((code) => [code, font.layout(String.fromCodePoint(code), ['tnum']).glyphs[0]])
      : [];
  const tabular = digits.map(([code, glyph]) => [code, glyph.id, Math.round(glyph.advanceWidth * scale)]);
  if (new Set(tabular.map(([, , width]) => width)).size > 1) throw new Error('tabular figures differ in width');
  const drawn = keepTables(Buffer.from(file));
  const names = [...glyphs, ...tabular].filter(([, glyph]) => glyph !== 0).sort((a, b) => a[1] - b[1]);
  return {
    name: `Inter-${weight}-${tier}`,
    glyphs,
    tabular,
    kerning: tier === 'german' ? kerningOf(font, chars, scale) : [],
    widths: range(0, font.numGlyphs - 1).map((glyph) => Math.round(font.getGlyph(glyph).advanceWidth * scale)),
    bbox: [font.bbox.minX, font.bbox.minY, font.bbox.maxX, font.bbox.maxY].map((n) => Math.round(n * scale)),
    ascent: Math.round(font.ascent * scale),
    descent: Math.round(font.descent * scale),
    capHeight: Math.round(font.capHeight * scale),
    length: drawn.length,
    file: deflateSync(drawn, { level: 9 }).toString('base64'),
    // A minus sign is copied as the hyphen-minus that spreadsheets take for a number.
    toUnicode: deflateSync(toUnicode(names.map(([code, glyph]) => [glyph, code === 0x2212 ? 0x2d : code])), {
      level: 9,
    }).toString('base64'),
  };
}

const weights = {};
for (const [weight, path] of Object.entries(WEIGHTS)) {
  const original = await readFile(new URL(path, source));
  const covered = fontkit.create(original);
  weights[weight] = {};
  for (const [tier, wanted] of Object.entries(TIERS)) {
    const chars = [...new Set(wanted)].filter((code) => covered.hasGlyphForCodePoint(code));
    weights[weight][tier] = await makeTier(weight, tier, chars, original);
    process.stdout.write(
      `${weight} ${tier}: ${chars.length} characters, ${Math.round((weights[weight][tier].file.length * 3) / 4 / 1024)} KiB\n`,
    );
  }
}
const { version } = JSON.parse(await readFile(new URL('package.json', source), 'utf8'));
await mkdir(new URL('generated/', target), { recursive: true });
await writeFile(
  new URL('generated/inter.json', target),
  JSON.stringify({ family: 'Inter', origin: `@expo-google-fonts/inter ${version}`, licence: 'OFL-1.1', weights }),
);
await writeFile(new URL('OFL.txt', target), await readFile(new URL('LICENSE_FONT', source)));
