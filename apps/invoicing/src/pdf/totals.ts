import { type Canvas, mm, widthOf } from './canvas.js';
import type { Block } from './flow.js';
import { formatPercent } from './format.js';
import type { Tag } from './tag.js';
import { amountText, COLOR, FORM, type Sheet, space, STYLE } from './sheet.js';

const ROW = mm(5.2);
const TABLE = { rate: FORM.left, base: mm(58), tax: mm(80), gross: mm(104) };
const TOTALS_LEFT = mm(116);

/** Sums on the right; with several tax rates the VAT table on the left. */
export function totalsBlock(sheet: Sheet, document: Tag): Block {
  const rows = totalRows(sheet);
  const { taxes } = sheet.snapshot;
  const withTable = taxes.length > 1 && !sheet.snapshot.smallBusiness;
  const above = space(sheet, 4, 2.5);
  const height = above + Math.max((rows.length + 1) * ROW + mm(4), withTable ? (taxes.length + 1) * ROW + mm(2) : 0);
  return {
    height,
    paint: (canvas, top) => {
      paintTotals(canvas, sheet, rows, top + above, document.add('Table'));
      if (withTable) paintTaxTable(canvas, sheet, top + above, document.add('Table'));
    },
  };
}

function totalRows(sheet: Sheet): [string, number][] {
  const { labels, language } = sheet;
  const { totals, taxes, smallBusiness } = sheet.snapshot;
  const rows: [string, number][] = [];
  if (totals.discountAmount !== 0)
    rows.push(
      [labels.netBeforeDiscount, totals.netBeforeDiscountAmount],
      [labels.totalDiscount, -totals.discountAmount],
    );
  if (smallBusiness) return rows;
  rows.push([labels.net, totals.netAmount]);
  for (const tax of taxes)
    rows.push([labels.taxOn(formatPercent(tax.rate, language), amountText(sheet, tax.baseAmount)), tax.taxAmount]);
  return rows;
}

function paintTotals(canvas: Canvas, sheet: Sheet, rows: readonly [string, number][], top: number, table: Tag): void {
  let y = top + mm(3.4);
  for (const [label, amount] of rows) {
    const [heading, figure] = table.addRow('Row', 'TD');
    const shown = amountText(sheet, amount);
    const right = FORM.right - Math.max(mm(28), widthOf(shown, STYLE.figure) + mm(4));
    canvas.text(heading, Math.min(TOTALS_LEFT, right - widthOf(label, STYLE.figure)), y, label, {
      ...STYLE.figure,
      color: COLOR.muted,
    });
    canvas.textRight(figure, FORM.right, y, shown, STYLE.figure);
    y += ROW;
  }
  canvas.rule(TOTALS_LEFT, FORM.right, y - mm(2.6), COLOR.ink, 0.8);
  const style = { size: 11.5, color: COLOR.ink, weight: 'semibold', tabular: true } as const;
  const [heading, figure] = table.addRow('Row', 'TD');
  canvas.text(heading, TOTALS_LEFT, y + mm(2.8), sheet.labels.gross, style);
  const room = FORM.right - TOTALS_LEFT - widthOf(sheet.labels.gross, style) - mm(4);
  canvas.textRight(figure, FORM.right, y + mm(2.8), amountText(sheet, sheet.snapshot.totals.grossAmount), style, room);
}

function paintTaxTable(canvas: Canvas, sheet: Sheet, top: number, table: Tag): void {
  const { labels, language } = sheet;
  let y = top + mm(3.4);
  const [rate, base, amount, gross] = table.addRow('Column', 'Column', 'Column', 'Column');
  canvas.text(rate, TABLE.rate, y, labels.taxTable, STYLE.head);
  canvas.textRight(base, TABLE.base, y, labels.taxBase, STYLE.head);
  canvas.textRight(amount, TABLE.tax, y, labels.taxAmount, STYLE.head);
  canvas.textRight(gross, TABLE.gross, y, labels.taxGross, STYLE.head);
  canvas.rule(TABLE.rate, TABLE.gross, y + mm(1.6), COLOR.line, 0.5);
  for (const tax of sheet.snapshot.taxes) {
    const cells = table.addRow('Row', 'TD', 'TD', 'TD');
    y += ROW;
    canvas.text(cells[0], TABLE.rate, y, formatPercent(tax.rate, language), STYLE.smallFigure);
    canvas.textRight(cells[1], TABLE.base, y, amountText(sheet, tax.baseAmount), STYLE.smallFigure);
    canvas.textRight(cells[2], TABLE.tax, y, amountText(sheet, tax.taxAmount), STYLE.smallFigure);
    canvas.textRight(cells[3], TABLE.gross, y, amountText(sheet, tax.baseAmount + tax.taxAmount), STYLE.smallFigure);
  }
}
