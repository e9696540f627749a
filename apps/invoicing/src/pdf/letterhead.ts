import type { SnapshotPostalAddress, SnapshotSeller } from '../domain/finalization/document-snapshot.js';
import { type Canvas, mm, type TextStyle, widthOf } from './canvas.js';
import { countryName, formatDay, formatIban, formatPeriod, type Language } from './format.js';
import type { Labels } from './labels.js';
import type { Logo } from './logo.js';
import { type Accent, COLOR, FORM, type Sheet, STYLE } from './sheet.js';
import type { Layout } from './flow.js';
import type { Tag } from './tag.js';
import { clip, wrap } from './wrap.js';

const streetLine = (address: SnapshotPostalAddress): string =>
  [address.street, address.houseNumber].filter(Boolean).join(' ');
const cityLine = (address: SnapshotPostalAddress): string => [address.zip, address.city].filter(Boolean).join(' ');
const present = (lines: readonly (string | null | undefined)[]): string[] =>
  lines.filter((line): line is string => !!line && line.trim() !== '');

/** Whose letter it is, to whom, and what it is called. */
export interface Letter {
  readonly seller: SnapshotSeller;
  readonly recipient: { readonly nameLines: readonly string[]; readonly address: SnapshotPostalAddress };
  readonly language: Language;
  readonly labels: Pick<Labels, 'phone' | 'vatId' | 'taxNumber' | 'page'>;
  readonly accent: Accent;
  readonly logo: Logo | null;
  /** Beside the window. */
  readonly rows: readonly (readonly [string, string])[];
  /** On later pages. */
  readonly headline: string;
}

export const letterOf = (sheet: Sheet): Letter => ({
  seller: sheet.snapshot.seller,
  recipient: sheet.snapshot.recipient,
  language: sheet.language,
  labels: sheet.labels,
  accent: sheet.accent,
  logo: sheet.logo,
  rows: referenceRows(sheet),
  headline: `${present([sheet.snapshot.texts.title, sheet.snapshot.number ?? sheet.labels.draftNumber]).join(' ')}  ·  ${formatDay(
    sheet.snapshot.issueDate,
    sheet.language,
  )}`,
});

/** Where the text of a page begins. */
export const textTop = (page: number): number => (page === 1 ? FORM.subject : FORM.nextTop);

/** What stands above the text of a page: the letterhead on the first, a line on later ones. */
export function paintHead(canvas: Canvas, letter: Letter, page: number, document: Tag): void {
  if (page === 1) paintLetterhead(canvas, letter, document);
  else paintContinuation(canvas, letter);
}

/** Name, window, reference block and fold marks of the first page. */
function paintLetterhead(canvas: Canvas, letter: Letter, document: Tag): void {
  const { seller, logo } = letter;
  canvas.rect(FORM.left, mm(16), mm(11), mm(1.1), letter.accent.fill);
  const brand: TextStyle = { size: 16, weight: 'semibold', color: COLOR.ink };
  const room = FORM.right - FORM.left - (logo ? paintLogo(canvas, logo, seller, document) + mm(6) : 0);
  canvas.text(document.add('P'), FORM.left, mm(25.4), clip(seller.companyName, room, brand), brand);
  const claim = present([seller.contact.website, seller.contact.email]).join('   ');
  canvas.text(document.add('P'), FORM.left, mm(30.6), clip(claim, room, STYLE.small), STYLE.small);
  paintMarks(canvas);
  paintWindow(canvas, letter, document);
  paintReferences(canvas, letter, document);
}

/** In the upper right corner, as large as it fits there; its width. */
function paintLogo(canvas: Canvas, logo: Logo, seller: SnapshotSeller, document: Tag): number {
  const scale = Math.min(mm(60) / logo.width, mm(20) / logo.height);
  const size = { width: logo.width * scale, height: logo.height * scale };
  const figure = document.add('Figure', { alt: `Logo: ${seller.companyName}` });
  canvas.logo(figure, FORM.right - size.width, mm(12), size);
  return size.width;
}

function paintMarks(canvas: Canvas): void {
  for (const y of FORM.fold) canvas.rule(mm(4), mm(8), y, COLOR.line, 0.5);
  canvas.rule(mm(4), mm(10), FORM.punch, COLOR.line, 0.5);
}

/**
 * Sender line and recipient inside the window. A long recipient is set smaller, so that it stays visible; of what is too long even then the
 * names are cut, because without the address it would be no invoice.
 */
function paintWindow(canvas: Canvas, { seller, recipient, language }: Letter, document: Tag): void {
  const width = FORM.window.left + FORM.window.width - FORM.left;
  const sender = present([seller.companyName, streetLine(seller.address), cityLine(seller.address)]).join(' · ');
  let size = 6.4;
  while (size > 4.8 && widthOf(sender, { size, color: COLOR.muted }) > width) size -= 0.2;
  const style: TextStyle = { size, color: COLOR.muted };
  canvas.text(document.add('P'), FORM.left, mm(60.2), clip(sender, width, style), style);
  canvas.rule(FORM.left, FORM.left + width, mm(61.6), COLOR.line, 0.4);

  const foreign = recipient.address.countryCode !== seller.address.countryCode;
  const names = present(recipient.nameLines);
  const place = present([
    recipient.address.addition,
    streetLine(recipient.address),
    cityLine(recipient.address),
    foreign ? countryName(recipient.address.countryCode, language).toUpperCase() : null,
  ]);
  const room = mm(90 - 63);
  for (const lineHeight of [mm(4.6), mm(4.1), mm(3.6), mm(3.1), mm(2.6)]) {
    const address: TextStyle = { size: lineHeight * 0.77, color: COLOR.ink };
    const [who, where] = [names, place].map((texts) => texts.flatMap((text) => wrap(text, width, address)));
    if ((who!.length + where!.length) * lineHeight > room && lineHeight > mm(2.6)) continue;
    const tag = document.add('P');
    const lineCount = Math.floor(room / lineHeight);
    [...who!.slice(0, Math.max(1, lineCount - where!.length)), ...where!]
      .slice(0, lineCount)
      .forEach((line, i) => canvas.text(tag, FORM.left, mm(66.4) + i * lineHeight, line, address));
    return;
  }
}

function referenceRows(sheet: Sheet): [string, string][] {
  const { snapshot, labels, language } = sheet;
  // Without a period the supply is taxed as of the document's day, which then is the day to be stated (§ 14 (4) no. 6
  // UStG).
  const period =
    snapshot.servicePeriod ??
    (snapshot.type === 'TYPE_INVOICE' ? { from: snapshot.issueDate, to: snapshot.issueDate } : null);
  const rows: [string, string | null][] = [
    [labels.numberOf[snapshot.type], snapshot.number ?? labels.draftNumber],
    [labels.dateOf[snapshot.type], formatDay(snapshot.issueDate, language)],
    [labels.customerNumber, snapshot.recipient.customerNumber],
    [
      period && period.from === period.to ? labels.serviceDay : labels.servicePeriod,
      period && formatPeriod(period, language),
    ],
    [labels.recipientVatId, snapshot.recipient.vatId],
    [labels.subscription, snapshot.references.subscriptionNumbers],
    [labels.poNumber, snapshot.references.poNumber],
    [labels.costCentre, snapshot.recipient.costCentre],
    [labels.leitwegId, snapshot.references.leitwegId],
    [labels.buyerReference, snapshot.references.buyerReference ?? null],
  ];
  return rows.filter((row): row is [string, string] => !!row[1]);
}

/** The block to the right of the window: numbers and dates that the recipient files by. */
function paintReferences(canvas: Canvas, { rows }: Letter, document: Tag): void {
  const list = document.add('L');
  const limit = FORM.subject - mm(5);
  const left = FORM.reference.left - mm(5);
  let y = FORM.reference.top + mm(2.6);
  rows.forEach(([label, value], i) => {
    const style = i === 0 ? STYLE.figureBold : STYLE.figure;
    const room = FORM.right - left - widthOf(label, STYLE.small) - mm(3);
    // A list of numbers is cut after two lines: the positions name them all.
    const lines = wrap(value, Math.max(room, mm(20)), style).slice(0, 2);
    if (y + (lines.length - 1) * mm(4) > limit) return;
    const [name, text] = list.addPair();
    canvas.text(name, left, y, label, STYLE.small);
    for (const line of lines) {
      canvas.textRight(text, FORM.right, y, line, style);
      y += mm(4);
    }
    y += mm(1);
  });
}

/** The line by which a later page names its document. */
function paintContinuation(canvas: Canvas, { seller, headline, accent }: Letter): void {
  canvas.rect(FORM.left, mm(13.4), mm(6), mm(0.8), accent.fill);
  canvas.textRight(null, FORM.right, mm(19), clip(headline, mm(95), STYLE.small), STYLE.small);
  canvas.text(null, FORM.left, mm(19), clip(seller.companyName, mm(65), STYLE.bold), STYLE.bold);
  canvas.rule(FORM.left, FORM.right, mm(22), COLOR.line, 0.5);
}

export function paintDraftMark(canvas: Canvas, sheet: Sheet): void {
  canvas.textAcross(null, mm(110), mm(175), 38, sheet.labels.draft, {
    size: 96,
    weight: 'semibold',
    color: COLOR.watermark,
  });
}

/** Page numbers and the seller's legal data on every page; that of the last is read out. @see §14 (4) UStG, §35a GmbHG */
export function paintFooters({ pages, document }: Layout, letter: Letter): void {
  pages.forEach((canvas, i) =>
    paintFooter(canvas, letter, [i + 1, pages.length], i === pages.length - 1 ? document : null),
  );
}

function paintFooter(
  canvas: Canvas,
  { seller, labels, language }: Letter,
  [page, pages]: readonly [number, number],
  document: Tag | null,
): void {
  const prefixed = (label: string, value: string | null): string | null => (value ? `${label} ${value}` : null);
  const columns = [
    [
      seller.companyName,
      streetLine(seller.address),
      cityLine(seller.address),
      countryName(seller.address.countryCode, language),
    ],
    [seller.contact.name, prefixed(labels.phone, seller.contact.phone), seller.contact.email, seller.contact.website],
    [prefixed(labels.vatId, seller.vatId), prefixed(labels.taxNumber, seller.taxNumber), ...seller.registrationLines],
    seller.bankAccount
      ? [
          seller.bankAccount.bankName,
          prefixed('IBAN', formatIban(seller.bankAccount.iban)),
          prefixed('BIC', seller.bankAccount.bic),
        ]
      : [],
  ];
  canvas.textRight(null, FORM.right, FORM.pageNumber, labels.page(page, pages), STYLE.label);
  canvas.rule(FORM.left, FORM.right, FORM.footer, COLOR.line, 0.5);
  const blocks = columns.map((texts, column) =>
    present(texts).flatMap((text, i) => {
      const style = column === 0 && i === 0 ? STYLE.footBold : STYLE.foot;
      return wrap(text, mm(50), style).map((line) => ({ line, style, width: widthOf(line, style) }));
    }),
  );
  const widths = blocks.map((lines) => Math.max(0, ...lines.map((line) => line.width)));
  const used = blocks.filter((lines) => lines.length > 0).length;
  const gap = Math.max(
    mm(3),
    (FORM.right - FORM.left - widths.reduce((sum, width) => sum + width, 0)) / Math.max(1, used - 1),
  );
  let x: number = FORM.left;
  blocks.forEach((lines, column) => {
    if (lines.length === 0) return;
    const tag = document?.add('P') ?? null;
    const room = FORM.right + mm(4) - x;
    lines
      .slice(0, 6)
      .forEach(({ line, style }, i) =>
        canvas.text(tag, x, FORM.footer + mm(4.2) + i * mm(3.15), clip(line, room, style), style),
      );
    x += (widths[column] ?? 0) + gap;
  });
}
