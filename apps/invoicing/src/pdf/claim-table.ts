import type { SnapshotClaim } from '../domain/finalization/document-snapshot.js';
import { mm } from './canvas.js';
import type { Block } from './flow.js';
import { formatDay } from './format.js';
import { amountText, COLOR, FORM, type Sheet, space, STYLE } from './sheet.js';
import type { Tag } from './tag.js';
import { wrap } from './wrap.js';

interface Row {
  readonly text: string;
  /** A second line, smaller. */
  readonly detail: string | null;
  readonly amount: number;
}

const TEXT_WIDTH = mm(120);
const LINE = mm(4.15);
const SMALL_LINE = mm(3.7);
const TOTALS_LEFT = mm(116);

/** What a reminder or dunning letter claims, line by line, in place of positions. */
export function claimBlocks(sheet: Sheet, claim: SnapshotClaim, table: Tag): Block[] {
  return [
    header(sheet, table),
    ...rowsOf(sheet, claim).map((row) => line(sheet, row, table)),
    total(sheet, claim, table),
  ];
}

function rowsOf({ snapshot, labels, language }: Sheet, claim: SnapshotClaim): Row[] {
  const { invoiceNumber, invoiceDate, invoiceDueDate, invoiceGrossAmount, openAmount, earlierFeesAmount } = claim;
  const rows: Row[] = [
    {
      text: labels.claimInvoice(invoiceNumber, formatDay(invoiceDate, language)),
      detail: invoiceDueDate && labels.claimDue(formatDay(invoiceDueDate, language)),
      amount: invoiceGrossAmount,
    },
  ];
  if (openAmount !== invoiceGrossAmount)
    rows.push({ text: labels.claimPaid, detail: null, amount: openAmount - invoiceGrossAmount });
  if (earlierFeesAmount !== 0) rows.push({ text: labels.claimEarlierFees, detail: null, amount: earlierFeesAmount });
  for (const { name, description, grossAmount } of snapshot.positions)
    rows.push({ text: name, detail: description, amount: grossAmount });
  return rows;
}

function header({ labels }: Sheet, table: Tag): Block {
  const [what, amount] = table.addRow('Column', 'Column');
  return {
    height: mm(6.4),
    paint: (canvas, top) => {
      canvas.text(what, FORM.left, top + mm(3.6), labels.claim, STYLE.head);
      canvas.textRight(amount, FORM.right, top + mm(3.6), labels.claimAmount, STYLE.head);
      canvas.rule(FORM.left, FORM.right, top + mm(6), COLOR.ink, 0.8);
    },
  };
}

function line(sheet: Sheet, { text, detail, amount }: Row, table: Tag): Block {
  const [what, figure] = table.addRow('TD', 'TD');
  const padding = space(sheet, 2, 1.4);
  const texts = wrap(text, TEXT_WIDTH, STYLE.bold);
  const details = detail ? wrap(detail, TEXT_WIDTH, STYLE.small) : [];
  const height = 2 * padding + texts.length * LINE + details.length * SMALL_LINE;
  return {
    height,
    paint: (canvas, top) => {
      const first = top + padding + mm(2.6);
      texts.forEach((part, i) => canvas.text(what, FORM.left, first + i * LINE, part, STYLE.bold));
      details.forEach((part, i) =>
        canvas.text(what, FORM.left, first + texts.length * LINE + i * SMALL_LINE, part, STYLE.small),
      );
      canvas.textRight(figure, FORM.right, first, amountText(sheet, amount), STYLE.figure);
      canvas.rule(FORM.left, FORM.right, top + height, COLOR.line, 0.4);
    },
  };
}

function total(sheet: Sheet, { claimAmount }: SnapshotClaim, table: Tag): Block {
  const [label, amount] = table.addRow('TD', 'TD');
  const style = { size: 11.5, color: COLOR.ink, weight: 'semibold', tabular: true } as const;
  return {
    height: mm(10),
    paint: (canvas, top) => {
      canvas.rule(TOTALS_LEFT, FORM.right, top + mm(1.4), COLOR.ink, 0.8);
      canvas.text(label, TOTALS_LEFT, top + mm(6.8), sheet.labels.claimTotal, style);
      canvas.textRight(amount, FORM.right, top + mm(6.8), amountText(sheet, claimAmount), style);
    },
  };
}
