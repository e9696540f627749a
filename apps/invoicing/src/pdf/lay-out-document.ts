import type { DocumentSnapshot } from '../domain/finalization/document-snapshot.js';
import { mm, type TextStyle, widthOf } from './canvas.js';
import { Flow, type Block, type Layout, type PageFrame } from './flow.js';
import { formatDay, formatNumber } from './format.js';
import { claimBlocks } from './claim-table.js';
import { creditTypeOf, LABELS } from './labels.js';
import { letterOf, paintDraftMark, paintFooters, paintHead, textTop } from './letterhead.js';
import { paymentBlock } from './payment-block.js';
import { positionLines, tableFrame } from './position-table.js';
import type { Logo } from './logo.js';
import { accentOf, amountText, COLOR, FORM, payableAmount, type Sheet, space, STYLE } from './sheet.js';
import type { Tag } from './tag.js';
import { totalsBlock } from './totals.js';
import { clip, wrap } from './wrap.js';

/**
 * The pages of a document, from its frozen snapshot alone. What does not fit on one page is set more tightly where that
 * saves the second.
 */
export function layOutDocument(snapshot: DocumentSnapshot, logo: Logo | null = null): Layout {
  const wide = layOut(snapshot, { compact: false, paint: true, logo });
  if (wide.pages.length !== 2) return wide;
  const fits = layOut(snapshot, { compact: true, paint: false, logo }).pages.length === 1;
  return fits ? layOut(snapshot, { compact: true, paint: true, logo }) : wide;
}

/** Without painting, for the number of pages alone. */
function layOut(
  snapshot: DocumentSnapshot,
  { compact, paint, logo }: { compact: boolean; paint: boolean; logo: Logo | null },
): Layout {
  const { language, brand } = snapshot;
  const accent = accentOf(brand?.accentColor);
  const sheet: Sheet = { snapshot, labels: LABELS[language], language, accent, logo, compact };
  const letter = letterOf(sheet);
  const open: PageFrame['open'] = (canvas, page, document) => {
    if (snapshot.draft) paintDraftMark(canvas, sheet);
    paintHead(canvas, letter, page, document);
  };
  const flow = new Flow({ topOf: textTop, bottom: compact ? FORM.lowest : FORM.bottom, ...(paint && { open }) });
  const { document } = flow;
  flow.add(titleBlock(sheet, document));
  flow.gap(space(sheet, 4.5, 2));
  flow.add(summaryBlock(sheet, document.add('L')));
  flow.gap(space(sheet, 6, 3));
  if (snapshot.texts.introduction)
    addText(flow, snapshot.texts.introduction, STYLE.body, mm(4.4), space(sheet, 4, 1.5));
  if (snapshot.claim) for (const block of claimBlocks(sheet, snapshot.claim, document.add('Table'))) flow.add(block);
  else {
    const table = document.add('Table');
    const frame = tableFrame(sheet, table);
    flow.table(positionLines(sheet, table), frame, totalsBlock(sheet, document));
  }
  flow.gap(space(sheet, 5, 2));
  for (const note of notesOf(sheet)) addText(flow, note, STYLE.small, mm(3.9), mm(1.5));
  const payment = paymentBlock(sheet, document);
  if (payment) {
    flow.gap(space(sheet, 3, 1));
    flow.add(payment);
    flow.gap(space(sheet, 5, 2.5));
  }
  if (snapshot.texts.closing) addText(flow, snapshot.texts.closing, STYLE.body, mm(4.4), 0);
  if (paint) paintFooters(flow, letter);
  return flow;
}

/** Title and number as one line; the file's title too. */
export function documentTitle(snapshot: DocumentSnapshot): string {
  const number = snapshot.number ?? `(${LABELS[snapshot.language].draftNumber})`;
  return snapshot.texts.title.includes(number) ? snapshot.texts.title : `${snapshot.texts.title} ${number}`;
}

function titleBlock(sheet: Sheet, document: Tag): Block {
  const { snapshot, labels, language } = sheet;
  const style: TextStyle = { size: 17, color: COLOR.ink, weight: 'semibold' };
  const lines = wrap(documentTitle(snapshot), FORM.right - FORM.left, style);
  const references =
    snapshot.referencedDocuments ?? [snapshot.referencedDocument].filter((reference) => reference !== null);
  const named = references.map(({ number, issueDate }) => labels.refersTo(number, formatDay(issueDate, language)));
  const below = named.length === 0 ? [] : wrap(named.join(', '), FORM.right - FORM.left, STYLE.small);
  const [heading, note] = [document.add('H1'), document.add('P')];
  return {
    height: lines.length * mm(7.2) + (below.length > 0 ? mm(0.8) + below.length * mm(4) : 0),
    paint: (canvas, top) => {
      lines.forEach((line, i) => canvas.text(heading, FORM.left, top + mm(5.4) + i * mm(7.2), line, style));
      const first = top + mm(4) + lines.length * mm(7.2);
      below.forEach((line, i) => canvas.text(note, FORM.left, first + i * mm(4), line, STYLE.small));
    },
  };
}

interface SummaryCell {
  readonly label: string;
  readonly value: string;
  readonly prominent: boolean;
}

/** The three things that a recipient looks for: how much, until when, how. */
function summaryCells(sheet: Sheet): SummaryCell[] {
  const { snapshot, labels, language } = sheet;
  const { payment, dueDate } = snapshot;
  const totalAmount = payableAmount(snapshot);
  const credit = totalAmount < 0 || payment.kind === 'credit';
  const amount = amountText(sheet, Math.abs(totalAmount));
  const cells: SummaryCell[] = [
    {
      label: credit
        ? labels.amountCredited[creditTypeOf(snapshot)]
        : totalAmount === 0
          ? labels.amountTotal
          : labels.amountDue,
      value: amount,
      prominent: true,
    },
  ];
  if (!credit && totalAmount !== 0) {
    const day = (payment.kind === 'sepa_debit' && payment.debitDate) || dueDate;
    if (day)
      cells.push({
        label: payment.kind === 'sepa_debit' ? labels.debitedOn : labels.dueOn,
        value: formatDay(day, language),
        prominent: true,
      });
  }
  const way = {
    transfer: labels.transfer,
    sepa_debit: labels.sepaDebit,
    collected: payment.kind === 'collected' ? payment.label : '',
    credit: snapshot.type === 'TYPE_CREDIT' ? labels.credit : '',
    none: totalAmount === 0 ? labels.nothingDue : '',
  }[payment.kind];
  if (way) cells.push({ label: labels.paidBy, value: way, prominent: false });
  return cells;
}

function summaryBlock(sheet: Sheet, list: Tag): Block {
  const cells = summaryCells(sheet);
  const height = mm(16.5);
  const prominent: TextStyle = { size: 15, color: sheet.accent.text, weight: 'semibold' };
  return {
    height,
    paint: (canvas, top) => {
      canvas.roundRect(FORM.left, top, FORM.right - FORM.left, height, mm(2), COLOR.panel);
      const room = (FORM.right - FORM.left - mm(10)) / Math.max(cells.length, 3);
      cells.forEach((cell, i) => {
        const [label, value] = list.addPair();
        const x = FORM.left + mm(5) + i * room;
        if (i > 0) canvas.rect(x - mm(3.5), top + mm(4), 0.6, height - mm(8), COLOR.line);
        canvas.text(label, x, top + mm(5.9), cell.label, STYLE.label);
        let style: TextStyle = cell.prominent ? prominent : { size: 11, color: COLOR.ink, weight: 'semibold' };
        while (style.size > 8 && widthOf(cell.value, style) > room - mm(5))
          style = { ...style, size: style.size - 0.5 };
        canvas.text(value, x, top + mm(12.4), clip(cell.value, room - mm(5), style), style);
      });
    },
  };
}

/** Reasons for tax not charged and rates of conversion. */
function notesOf(sheet: Sheet): string[] {
  const { snapshot, labels, language } = sheet;
  if (snapshot.claim) return snapshot.positions.length > 0 ? [labels.claimWithoutTax] : [];
  const legal = [...new Set(snapshot.taxes.flatMap((tax) => (tax.legalNote ? [tax.legalNote] : [])))];
  if (snapshot.smallBusiness && legal.length === 0) legal.push(labels.smallBusiness);
  const rates = snapshot.exchangeRates.map((rate) =>
    labels.exchangeRate(
      rate.sourceCurrencyCode,
      formatNumber(rate.rate, language),
      rate.destinationCurrencyCode,
      formatDay(rate.date, language),
    ),
  );
  return [...legal, ...rates];
}

/** Running text; a short one stays together, a long one may go on over the page. */
export function addText(flow: Flow, text: string, style: TextStyle, lineHeight: number, after: number): void {
  const lines = wrap(text, FORM.right - FORM.left, style);
  const together = lines.length <= 8 ? lines.length : 1;
  const tag = flow.document.add('P');
  for (let i = 0; i < lines.length; i += together) {
    flow.add({
      height: together * lineHeight,
      paint: (canvas, top) =>
        lines
          .slice(i, i + together)
          .forEach((line, j) => canvas.text(tag, FORM.left, top + lineHeight * (j + 0.72), line, style)),
    });
  }
  flow.gap(after);
}
