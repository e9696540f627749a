import type { Tag } from './tag.js';
import { fontKey, type Shaped, typefaces, type Weight } from './typeface.js';

/** Millimetres in PDF points. */
export const mm = (value: number): number => (value * 72) / 25.4;

/** A4 in points. */
export const PAGE = { width: 595.28, height: 841.89 } as const;

/** Resource name of the seller's logo. */
export const LOGO = 'Logo';

/** A colour as the operands of `rg` and `RG`. */
export type Color = string;

export interface TextStyle {
  readonly weight?: Weight;
  /** Points. */
  readonly size: number;
  readonly color: Color;
  /** Figures of one width, for columns. */
  readonly tabular?: boolean;
}

/** Of a PNG file, which says it in its first chunk. */
function sizeOf(png: Uint8Array): { width: number; height: number } {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  return { width: Math.max(1, view.getUint32(16)), height: Math.max(1, view.getUint32(20)) };
}

/** What stands behind the whole part of so many hundredths. */
const FRACTIONS = Array.from({ length: 100 }, (_, hundredths) => String(hundredths / 100).slice(1));

/** With two decimals at most: put together, as writing a fraction takes the engine several times as long as an integer. */
function number(value: number): string {
  const hundredths = Math.round(value * 100);
  if (hundredths < 0) return String(hundredths / 100);
  const whole = Math.trunc(hundredths / 100);
  return `${whole}${FRACTIONS[hundredths - whole * 100]}`;
}

export const shapeOf = (text: string, style: TextStyle): Shaped =>
  typefaces()[style.weight ?? 'regular'].shape(text, style.tabular);

/** Width of a text in points. */
export const widthOf = (text: string, style: TextStyle): number => (shapeOf(text, style).width * style.size) / 1000;

/**
 * The painting instructions of one page. Positions are points from the upper left corner, as people read a page; a
 * text's `y` is its baseline. What is painted belongs to the part of the document that is given; without one it is an
 * ornament or said elsewhere, which nobody reads out.
 */
export class Canvas {
  private operators = '';
  private fill = '';
  private stroke = '';
  private font = '';
  /** Resource names of the fonts that this page uses. */
  readonly fonts = new Set<string>();
  /** PNG files by the names under which they are painted. */
  readonly pictures = new Map<string, Uint8Array>();
  /** Which part each marked stretch belongs to, by its id. */
  readonly marks: Tag[] = [];
  /** Whose stretch is open; undefined: none is. */
  private marked: Tag | null | undefined;

  /** @param page Counted from 0. */
  constructor(private readonly page: number) {}

  text(tag: Tag | null, x: number, y: number, text: string, style: TextStyle): void {
    const shaped = shapeOf(text, style);
    if (shaped.runs.length === 0) return;
    let { runs } = shaped;
    let left = x;
    if (tag && tag.kids.length > 0) {
      // A further line of a part: a blank to its left parts it from the last word for whoever hears it.
      const blank = shapeOf(' ', style);
      left -= (blank.width * style.size) / 1000;
      runs = [...blank.runs, ...runs];
    }
    this.mark(tag);
    this.setFill(style.color);
    this.add('BT');
    let placed = false;
    for (const run of runs) {
      const key = fontKey(style.weight ?? 'regular', run.tier);
      this.fonts.add(key);
      const font = `/${key} ${number(style.size)} Tf`;
      if (font !== this.font) this.add(font);
      this.font = font;
      if (!placed) this.add(`${number(left)} ${number(PAGE.height - y)} Td`);
      placed = true;
      this.add(`${run.operand} TJ`);
    }
    this.add('ET');
  }

  /** Ends at `right`; what is wider than `room` is set smaller, down to half. */
  textRight(
    tag: Tag | null,
    right: number,
    y: number,
    text: string,
    style: TextStyle,
    room = Number.POSITIVE_INFINITY,
  ): void {
    const width = widthOf(text, style);
    const scale = Math.max(0.5, Math.min(1, room / width));
    this.text(tag, right - width * scale, y, text, scale === 1 ? style : { ...style, size: style.size * scale });
  }

  textCenter(tag: Tag | null, center: number, y: number, text: string, style: TextStyle): void {
    this.text(tag, center - widthOf(text, style) / 2, y, text, style);
  }

  /** A horizontal line of `thickness` points. */
  rule(x1: number, x2: number, y: number, color: Color, thickness: number): void {
    this.mark(null);
    this.setStroke(color);
    this.add(
      `${number(thickness)} w ${number(x1)} ${number(PAGE.height - y)} m ${number(x2)} ${number(PAGE.height - y)} l S`,
    );
  }

  rect(x: number, y: number, width: number, height: number, color: Color): void {
    this.mark(null);
    this.setFill(color);
    this.add(`${number(x)} ${number(PAGE.height - y - height)} ${number(width)} ${number(height)} re f`);
  }

  /** A filled rectangle with round corners of `radius` points. */
  roundRect(x: number, y: number, width: number, height: number, radius: number, color: Color): void {
    this.mark(null);
    this.setFill(color);
    const [l, r, t, b] = [x, x + width, PAGE.height - y, PAGE.height - y - height];
    const k = radius * 0.4477;
    const p = (...values: number[]): string => values.map(number).join(' ');
    this.add(
      `${p(l + radius, b)} m ${p(r - radius, b)} l ${p(r - k, b, r, b + k, r, b + radius)} c ${p(r, t - radius)} l ` +
        `${p(r, t - k, r - k, t, r - radius, t)} c ${p(l + radius, t)} l ${p(l + k, t, l, t - k, l, t - radius)} c ` +
        `${p(l, b + radius)} l ${p(l, b + k, l + k, b, l + radius, b)} c f`,
    );
  }

  /**
   * Paints rectangles given in their own units, scaled by `unit` points, with their origin at (x, y): the dark modules
   * of a code.
   */
  modules(tag: Tag | null, x: number, y: number, unit: number, operators: string, color: Color): void {
    this.mark(tag);
    this.setFill(color);
    this.add(
      `q ${unit.toFixed(4)} 0 0 ${(-unit).toFixed(4)} ${number(x)} ${number(PAGE.height - y)} cm ${operators} f Q`,
    );
  }

  /** A PNG file, as large as it fits into the box, at its upper left corner. */
  picture(
    tag: Tag | null,
    x: number,
    y: number,
    png: Uint8Array,
    box: { readonly width: number; readonly height: number },
  ): void {
    this.mark(tag);
    const size = sizeOf(png);
    const scale = Math.min(box.width / size.width, box.height / size.height);
    const [width, height] = [size.width * scale, size.height * scale];
    const name = `P${this.pictures.size + 1}`;
    this.pictures.set(name, png);
    this.add(
      `q ${number(width)} 0 0 ${number(height)} ${number(x)} ${number(PAGE.height - y - height)} cm /${name} Do Q`,
    );
  }

  /** The seller's logo, with its upper left corner at (x, y). */
  logo(
    tag: Tag | null,
    x: number,
    y: number,
    { width, height }: { readonly width: number; readonly height: number },
  ): void {
    this.mark(tag);
    this.add(
      `q ${number(width)} 0 0 ${number(height)} ${number(x)} ${number(PAGE.height - y - height)} cm /${LOGO} Do Q`,
    );
  }

  /** Large text across the page, behind everything that is painted later. `angle` in degrees, counter-clockwise. */
  textAcross(tag: Tag | null, x: number, y: number, angle: number, text: string, style: TextStyle): void {
    this.mark(tag);
    const cos = Math.cos((angle * Math.PI) / 180);
    const sin = Math.sin((angle * Math.PI) / 180);
    this.add(
      `q ${cos.toFixed(4)} ${sin.toFixed(4)} ${(-sin).toFixed(4)} ${cos.toFixed(4)} ${number(x)} ${number(PAGE.height - y)} cm`,
    );
    this.font = '';
    this.fill = '';
    this.text(tag, -widthOf(text, style) / 2, PAGE.height, text, style);
    this.add('Q');
    this.font = '';
    this.fill = '';
  }

  content(): string {
    return this.marked === undefined ? this.operators : `${this.operators}EMC`;
  }

  private add(operator: string): void {
    this.operators += `${operator}\n`;
  }

  /** Begins a stretch of another part. */
  private mark(tag: Tag | null): void {
    if (tag === this.marked) return;
    if (this.marked !== undefined) this.add('EMC');
    this.marked = tag;
    if (tag === null) return this.add('/Artifact BMC');
    const id = this.marks.push(tag) - 1;
    tag.kids.push({ page: this.page, id });
    this.add(`/${tag.role}<</MCID ${id}>>BDC`);
  }

  private setFill(color: Color): void {
    if (color !== this.fill) this.add(`${color} rg`);
    this.fill = color;
  }

  private setStroke(color: Color): void {
    if (color !== this.stroke) this.add(`${color} RG`);
    this.stroke = color;
  }
}
