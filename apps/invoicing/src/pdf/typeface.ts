import { readFileSync } from 'node:fs';

export type Weight = 'regular' | 'semibold';
const TIERS = ['german', 'latin', 'greekCyrillic'] as const;
export type Tier = (typeof TIERS)[number];

/**
 * One embeddable font file as `tools/fonts/generate.mjs` writes it. Glyph rows are `[code point, glyph, width in 1/1000
 * em]`.
 */
export interface FontTier {
  readonly name: string;
  readonly glyphs: readonly (readonly [number, number, number])[];
  readonly tabular: readonly (readonly [number, number, number])[];
  readonly kerning: readonly (readonly [number, number, number])[];
  /** By glyph, 1/1000 em. */
  readonly widths: readonly number[];
  readonly bbox: readonly [number, number, number, number];
  readonly ascent: number;
  readonly descent: number;
  readonly capHeight: number;
  /** Bytes of the font file before compression. */
  readonly length: number;
  /** Deflated, base64. */
  readonly file: string;
  readonly toUnicode: string;
}

/** A stretch of text in one font file: the operand of `TJ`. */
export interface Run {
  readonly tier: Tier;
  readonly operand: string;
}

/** Text ready to be painted; `width` in 1/1000 em. */
export interface Shaped {
  readonly runs: readonly Run[];
  readonly width: number;
}

interface Glyph {
  readonly tier: Tier;
  readonly id: number;
  readonly hex: string;
  readonly width: number;
}

const DROPPED = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2060\ufe00-\ufe0f\ufeff]/gu;
const SPACES = /[\s\u00a0\u2000-\u200a\u202f\u205f\u3000]/gu;
const COMBINING = /\p{M}/gu;
/** Stands for a character that no tier has: an empty square, which is a drawn glyph and not `.notdef`. */
const MISSING = 0x25a1;
const CACHE_SIZE = 8000;

/** One weight of the document font, with its glyphs over all tiers. Shaping is a table look-up: no font is parsed. */
export class Typeface {
  private readonly glyphs = new Map<number, Glyph>();
  private readonly tabular = new Map<number, Glyph>();
  private readonly kerning = new Map<number, number>();
  private readonly cache = [new Map<string, Shaped>(), new Map<string, Shaped>()] as const;

  constructor(
    readonly weight: Weight,
    readonly tiers: Readonly<Record<Tier, FontTier>>,
  ) {
    for (const tier of TIERS) {
      const font = tiers[tier];
      for (const [code, id, width] of font.glyphs)
        if (!this.glyphs.has(code)) this.glyphs.set(code, glyphOf(tier, id, width));
      for (const [code, id, width] of font.tabular) this.tabular.set(code, glyphOf(tier, id, width));
      for (const [left, right, adjustment] of font.kerning) this.kerning.set(left * 65_536 + right, adjustment);
    }
  }

  /**
   * Glyphs for a text; figures of one width when `tabular`. Characters that no tier has fall back to their base letter,
   * else to a square.
   */
  shape(text: string, tabular = false): Shaped {
    const cache = this.cache[tabular ? 1 : 0];
    const known = cache.get(text);
    if (known) return known;
    if (cache.size >= CACHE_SIZE) cache.clear();
    const shaped = this.shapeNow(text, tabular);
    cache.set(text, shaped);
    return shaped;
  }

  private shapeNow(text: string, tabular: boolean): Shaped {
    const runs: Run[] = [];
    let operand = '';
    let tier: Tier = 'german';
    let previous: Glyph | undefined;
    let width = 0;
    const close = (): void => {
      if (operand) runs.push({ tier, operand: `[<${operand}>]` });
      operand = '';
    };
    for (const char of text.normalize('NFC').replace(DROPPED, '').replace(SPACES, ' ')) {
      for (const glyph of this.glyphsFor(char, tabular)) {
        if (glyph.tier !== tier) {
          close();
          tier = glyph.tier;
        } else if (previous) {
          const adjustment = this.kerning.get(previous.id * 65_536 + glyph.id);
          if (adjustment !== undefined && tier === 'german') {
            operand += `>${-adjustment}<`;
            width += adjustment;
          }
        }
        operand += glyph.hex;
        width += glyph.width;
        previous = glyph;
      }
    }
    close();
    return { runs, width };
  }

  private glyphsFor(char: string, tabular: boolean): readonly Glyph[] {
    const code = char.codePointAt(0) ?? MISSING;
    const glyph = (tabular ? this.tabular.get(code) : undefined) ?? this.glyphs.get(code);
    if (glyph) return [glyph];
    const simpler = char.normalize('NFKD').replace(COMBINING, '');
    const parts = [...simpler].map((part) => this.glyphs.get(part.codePointAt(0) ?? MISSING));
    if (parts.every((part) => part !== undefined)) return parts;
    const square = this.glyphs.get(MISSING);
    return square ? [square] : [];
  }
}

const glyphOf = (tier: Tier, id: number, width: number): Glyph => ({
  tier,
  id,
  hex: id.toString(16).toUpperCase().padStart(4, '0'),
  width,
});

let loaded: Readonly<Record<Weight, Typeface>> | undefined;

/** The document font, read once per thread. The path is the same from the sources and from the compiled output. */
export function typefaces(): Readonly<Record<Weight, Typeface>> {
  if (!loaded) {
    const path = new URL('../../assets/generated/inter.json', import.meta.url);
    const { weights } = JSON.parse(readFileSync(path, 'utf8')) as { weights: Record<Weight, Record<Tier, FontTier>> };
    loaded = {
      regular: new Typeface('regular', weights.regular),
      semibold: new Typeface('semibold', weights.semibold),
    };
  }
  return loaded;
}

/** Resource name of a font file on a page. */
export const fontKey = (weight: Weight, tier: Tier): string =>
  `${weight === 'regular' ? 'R' : 'S'}${TIERS.indexOf(tier)}`;

/** Bytes of a font file as they go into a document: already deflated. */
export const fontBytes = (font: FontTier): { readonly file: Uint8Array; readonly toUnicode: Uint8Array } => ({
  file: Buffer.from(font.file, 'base64'),
  toUnicode: Buffer.from(font.toUnicode, 'base64'),
});

/** The font a resource name stands for. */
export function fontOfKey(key: string): FontTier {
  const tier = TIERS[Number(key.slice(1))] ?? 'german';
  return typefaces()[key.startsWith('R') ? 'regular' : 'semibold'].tiers[tier];
}
