import type { DocumentSnapshot } from '../domain/finalization/document-snapshot.js';
import { type Color, mm, type TextStyle } from './canvas.js';
import { formatAmount, type Language } from './format.js';
import type { Labels } from './labels.js';
import type { Logo } from './logo.js';

/** What every part of a document is laid out from. */
export interface Sheet {
  readonly snapshot: DocumentSnapshot;
  readonly labels: Labels;
  readonly language: Language;
  /** The seller's colour; `text` where it is dark enough to be read, else ink. */
  readonly accent: Accent;
  readonly logo: Logo | null;
  /** Set tightly, because a short document then has one page instead of two. */
  readonly compact: boolean;
}

export interface Accent {
  readonly fill: Color;
  readonly text: Color;
}

/** The colour of a document by its seller's (`#1a4a87`), else ours. */
export function accentOf(color: string | null | undefined): Accent {
  if (!color || !/^#[0-9a-f]{6}$/i.test(color)) return { fill: COLOR.accent, text: COLOR.accent };
  const parts = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  const fill = parts.map((part) => String(Math.round(part * 1000) / 1000)).join(' ');
  // 4.5 : 1 on white, as WCAG asks for.
  return { fill, text: 0.2126 * red + 0.7152 * green + 0.0722 * blue <= 0.183 ? fill : COLOR.ink };
}

/** A distance, in millimetres: shorter where the document is set tightly. */
export const space = ({ compact }: Pick<Sheet, 'compact'>, wide: number, tight: number): number =>
  mm(compact ? tight : wide);

export const amountText = (sheet: Sheet, amountMinor: number): string =>
  formatAmount(amountMinor, sheet.snapshot.currencyCode, sheet.language);

/** What is to be paid: a document's total, or what it claims. */
export const payableAmount = ({ claim, totals }: DocumentSnapshot): number => claim?.claimAmount ?? totals.grossAmount;

export const COLOR = {
  ink: '0.07 0.1 0.16',
  muted: '0.4 0.43 0.49',
  line: '0.86 0.88 0.91',
  panel: '0.955 0.965 0.98',
  accent: '0.1 0.29 0.53',
  white: '1 1 1',
  watermark: '0.93 0.94 0.955',
} as const;

/**
 * A letter with window, in points from the upper left corner.
 * @see DIN 5008:2020, form B
 */
export const FORM = {
  left: mm(25),
  right: mm(190),
  window: { left: mm(20), top: mm(45), width: mm(85), height: mm(45) },
  reference: { left: mm(125), top: mm(50) },
  subject: mm(98.5),
  fold: [mm(105), mm(210)],
  punch: mm(148.5),
  /** First text line of the pages after the first. */
  nextTop: mm(30),
  /** Nothing of the flow goes below this. */
  bottom: mm(262),
  /** The same where the document is set tightly. */
  lowest: mm(264.5),
  pageNumber: mm(267.4),
  footer: mm(270),
} as const;

export const STYLE = {
  body: { size: 9, color: COLOR.ink },
  bold: { size: 9, color: COLOR.ink, weight: 'semibold' },
  figure: { size: 9, color: COLOR.ink, tabular: true },
  figureBold: { size: 9, color: COLOR.ink, weight: 'semibold', tabular: true },
  small: { size: 7.8, color: COLOR.muted },
  smallFigure: { size: 7.8, color: COLOR.muted, tabular: true },
  label: { size: 7.4, color: COLOR.muted },
  head: { size: 7.4, color: COLOR.muted, weight: 'semibold' },
  foot: { size: 6.7, color: COLOR.muted },
  footBold: { size: 6.7, color: COLOR.muted, weight: 'semibold' },
} as const satisfies Record<string, TextStyle>;
