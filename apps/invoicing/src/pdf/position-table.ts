import type { SnapshotPosition } from '../domain/finalization/document-snapshot.js';
import { type Canvas, mm, widthOf } from './canvas.js';
import type { Block, TableFrame, TableLine } from './flow.js';
import { formatNumber, formatPercent, formatPeriod, formatUnitPrice } from './format.js';
import { amountText, COLOR, FORM, type Sheet, space, STYLE } from './sheet.js';
import type { Cell, Tag } from './tag.js';
import { wrap } from './wrap.js';

/** Left edges of texts and right edges of figures. */
const COLUMN = {
  label: FORM.left,
  text: FORM.left + mm(9),
  textEnd: mm(110),
  quantity: mm(127),
  price: mm(152),
  tax: mm(164),
  amount: FORM.right,
};
/** What the figures of a column have without touching those beside them. */
const ROOM = { quantity: mm(16), price: mm(23), tax: mm(11), amount: mm(25) };
const INDENT = mm(4);
const LINE = mm(4.15);
const SMALL_LINE = mm(3.7);
/** So many lines of a position stay together; a long description may go on over the page. */
const TOGETHER = 4;

interface Piece {
  readonly height: number;
  readonly paint: (canvas: Canvas, baseline: number) => void;
}

/** Where a line's texts belong; small businesses have no column for the tax. */
type Cells = Readonly<Record<'label' | 'text' | 'quantity' | 'price' | 'tax' | 'amount', Tag | null>>;
const NO_CELLS: Cells = { label: null, text: null, quantity: null, price: null, tax: null, amount: null };

const columnsOf = ({ snapshot }: Sheet): number => (snapshot.smallBusiness ? 5 : 6);

function cellsOf({ snapshot }: Sheet, table: Tag, cell: Cell): Cells {
  if (snapshot.smallBusiness) {
    const [label, text, quantity, price, amount] = table.addRow(cell, cell, cell, cell, cell);
    return { label, text, quantity, price, tax: null, amount };
  }
  const [label, text, quantity, price, tax, amount] = table.addRow(cell, cell, cell, cell, cell, cell);
  return { label, text, quantity, price, tax, amount };
}

/** All lines of the table: headlines of groups, positions, their children. */
export function positionLines(sheet: Sheet, table: Tag): TableLine[] {
  const lines: TableLine[] = [];
  const groups = new Map(sheet.snapshot.groups.map((group) => [group.id, group.name]));
  const { positions } = sheet.snapshot;
  // A single group's sum is the document's.
  const withSums = positions.some(({ groupId: id }) => id !== positions[0]?.groupId);
  let groupId: string | null = null;
  let netBefore = 0;
  let runningNet = 0;
  const endGroup = (): void => {
    if (!withSums || groupId === null || !groups.has(groupId)) return;
    const last = lines.pop();
    if (last) lines.push({ ...last, keepWithNext: true });
    lines.push(groupSum(sheet, table, runningNet - netBefore, runningNet));
  };
  for (const position of positions) {
    if (position.groupId !== groupId) {
      endGroup();
      groupId = position.groupId;
      netBefore = runningNet;
      const name = groupId === null ? undefined : groups.get(groupId);
      if (name) lines.push(headline(sheet, table, name, runningNet));
    }
    for (const [item, depth] of [[position, 0] as const, ...position.children.map((child) => [child, 1] as const)]) {
      runningNet += item.netAfterDiscount;
      lines.push(...linesOf(sheet, table, item, depth, runningNet));
    }
  }
  endGroup();
  return lines;
}

function groupSum(sheet: Sheet, table: Tag, net: number, runningNet: number): TableLine {
  const row = table.add('TR');
  const [label, sum] = [row.add('TD', { columns: columnsOf(sheet) - 1 }), row.add('TD')];
  return {
    height: mm(6.4),
    runningNet,
    keepWithNext: false,
    paint: (canvas, top) => {
      canvas.text(label, COLUMN.text, top + mm(4.2), sheet.labels.groupSum, STYLE.bold);
      canvas.textRight(sum, COLUMN.amount, top + mm(4.2), amountText(sheet, net), STYLE.figureBold);
      canvas.rule(FORM.left, FORM.right, top + mm(6), COLOR.line, 0.5);
    },
  };
}

function headline(sheet: Sheet, table: Tag, name: string, runningNet: number): TableLine {
  const cell = table.add('TR').add('TD', { columns: columnsOf(sheet) });
  const style = { ...STYLE.bold, color: sheet.accent.text };
  const texts = wrap(name, FORM.right - FORM.left - mm(4), style);
  return {
    height: mm(3.6) + texts.length * LINE,
    runningNet,
    keepWithNext: true,
    paint: (canvas, top) => {
      texts.forEach((text, i) => canvas.text(cell, FORM.left, top + mm(5) + i * LINE, text, style));
      canvas.rule(FORM.left, FORM.right, top + mm(3) + texts.length * LINE, COLOR.line, 0.5);
    },
  };
}

function linesOf(sheet: Sheet, table: Tag, position: SnapshotPosition, depth: number, runningNet: number): TableLine[] {
  const pieces = piecesOf(sheet, cellsOf(sheet, table, 'TD'), position, depth);
  const padding = space(sheet, 2, 1.4);
  return pieces.map((piece, i) => {
    const first = i === 0;
    const last = i === pieces.length - 1;
    return {
      height: piece.height + (first ? padding : 0) + (last ? padding - mm(0.6) : 0),
      runningNet,
      keepWithNext: !last && (i < TOGETHER - 1 || i === pieces.length - 2),
      paint: (canvas, top) => {
        piece.paint(canvas, top + (first ? padding : 0) + mm(2.6));
        if (last)
          canvas.rule(
            FORM.left,
            FORM.right,
            top + piece.height + (first ? padding : 0) + padding - mm(0.6),
            COLOR.line,
            0.4,
          );
      },
    };
  });
}

/** One position as lines: name with its figures, unit and service period, description, discount. */
function piecesOf(sheet: Sheet, cells: Cells, position: SnapshotPosition, depth: number): Piece[] {
  const { snapshot, labels, language } = sheet;
  const x = COLUMN.text + depth * INDENT;
  const width = COLUMN.textEnd - x;
  const nameStyle = depth === 0 ? STYLE.bold : STYLE.body;
  const names = wrap(position.name, width, nameStyle);
  const details = [
    ...(position.servicePeriod ? wrap(formatPeriod(position.servicePeriod, language), width, STYLE.smallFigure) : []),
    ...(position.description ? wrap(position.description, width, STYLE.small) : []),
  ];
  const texts = [
    ...names.map((text) => ({ text, style: nameStyle, height: LINE })),
    ...details.map((text) => ({ text, style: STYLE.small, height: SMALL_LINE })),
  ];
  // The unit stands below its quantity, in the line of the service period.
  if (position.unitName && texts.length < 2) texts.push({ text: '', style: STYLE.small, height: SMALL_LINE });
  const pieces = texts.map(({ text, style, height }, i): Piece => ({
    height,
    paint: (canvas, baseline) => {
      canvas.text(cells.text, x, baseline, text, style);
      if (i === 0) {
        canvas.text(cells.label, COLUMN.label, baseline, position.label, { ...STYLE.figure, color: COLOR.muted });
        canvas.textRight(
          cells.quantity,
          COLUMN.quantity,
          baseline,
          formatNumber(position.quantity, language),
          STYLE.figure,
          ROOM.quantity,
        );
        canvas.textRight(
          cells.price,
          COLUMN.price,
          baseline,
          formatUnitPrice(position.unitPrice, snapshot.currencyCode, language),
          STYLE.figure,
          ROOM.price,
        );
        if (!snapshot.smallBusiness)
          canvas.textRight(
            cells.tax,
            COLUMN.tax,
            baseline,
            formatPercent(position.taxRate, language),
            STYLE.figure,
            ROOM.tax,
          );
        canvas.textRight(
          cells.amount,
          COLUMN.amount,
          baseline,
          amountText(sheet, position.netAmount),
          STYLE.figure,
          ROOM.amount,
        );
      }
      if (i === 1 && position.unitName) {
        const unit = wrap(position.unitName, mm(24), STYLE.small)[0] ?? '';
        canvas.text(cells.quantity, COLUMN.quantity - widthOf(unit, STYLE.small), baseline, unit, STYLE.small);
      }
    },
  }));
  if (position.discountAmount !== 0) {
    const label = `${labels.discount}${position.discountPercentage ? ` ${formatPercent(position.discountPercentage, language)}` : ''}`;
    pieces.push({
      height: LINE,
      paint: (canvas, baseline) => {
        canvas.text(cells.text, x, baseline, label, { ...STYLE.small, color: COLOR.ink });
        canvas.textRight(
          cells.amount,
          COLUMN.amount,
          baseline,
          amountText(sheet, -position.discountAmount),
          STYLE.figure,
        );
      },
    });
  }
  return pieces;
}

/** Header and carry-over lines around the positions of each page; only the first header is read out. */
export function tableFrame(sheet: Sheet, table: Tag): TableFrame {
  const { labels } = sheet;
  let cells: Cells = cellsOf(sheet, table, 'Column');
  const carry = (label: string, net: number): Block => ({
    height: mm(7),
    paint: (canvas, top) => {
      canvas.text(null, COLUMN.text, top + mm(4.6), label, STYLE.bold);
      canvas.textRight(null, COLUMN.amount, top + mm(4.6), amountText(sheet, net), STYLE.figureBold);
    },
  });
  return {
    header: {
      height: mm(6.4),
      paint: (canvas, top) => {
        const baseline = top + mm(3.6);
        canvas.text(cells.label, COLUMN.label, baseline, labels.position, STYLE.head);
        canvas.text(cells.text, COLUMN.text, baseline, labels.description, STYLE.head);
        canvas.textRight(cells.quantity, COLUMN.quantity, baseline, labels.quantity, STYLE.head);
        canvas.textRight(cells.price, COLUMN.price, baseline, labels.unitPrice, STYLE.head);
        if (!sheet.snapshot.smallBusiness) canvas.textRight(cells.tax, COLUMN.tax, baseline, labels.tax, STYLE.head);
        canvas.textRight(cells.amount, COLUMN.amount, baseline, labels.amount, STYLE.head);
        canvas.rule(FORM.left, FORM.right, top + mm(6), COLOR.ink, 0.8);
        cells = NO_CELLS;
      },
    },
    carriedTo: (net) => carry(labels.carriedTo, net),
    carriedFrom: (net, page) => {
      const block = carry(labels.carriedFrom(page), net);
      return {
        height: block.height,
        paint: (canvas, top) => {
          block.paint(canvas, top);
          canvas.rule(FORM.left, FORM.right, top + block.height, COLOR.line, 0.4);
        },
      };
    },
  };
}
