import type { PaperBlock, PaperEntry, PaperLine, PaperRequest } from '@kontor/contracts';
import type { SnapshotBrand, SnapshotSeller } from '../domain/finalization/document-snapshot.js';
import { mm, type TextStyle } from './canvas.js';
import { type Block, Flow, type Layout } from './flow.js';
import { formatDay } from './format.js';
import { LABELS } from './labels.js';
import { addText } from './lay-out-document.js';
import { type Letter, paintFooters, paintHead, textTop } from './letterhead.js';
import type { Logo } from './logo.js';
import { accentOf, COLOR, FORM, STYLE } from './sheet.js';
import type { Tag } from './tag.js';
import { clip, wrap } from './wrap.js';

/** What another service wants written, and whose letter it is. */
export interface Paper {
  readonly request: PaperRequest;
  readonly seller: SnapshotSeller;
  readonly brand?: SnapshotBrand;
}

const WIDTH = FORM.right - FORM.left;
const LINE = mm(4.4);
const QUANTITY = FORM.right - mm(32);
const HEADING: TextStyle = { size: 11, color: COLOR.ink, weight: 'semibold' };

/** The pages of a letter in the design of the invoices. */
export function layOutPaper({ request, seller, brand }: Paper, logo: Logo | null = null): Layout {
  const { language, title, day } = request;
  const letter: Letter = {
    seller,
    recipient: request.recipient,
    language,
    labels: LABELS[language],
    accent: accentOf(brand?.accentColor),
    logo,
    rows: request.references,
    headline: `${title}  ·  ${formatDay(day, language)}`,
  };
  const flow = new Flow({
    topOf: textTop,
    bottom: FORM.bottom,
    open: (canvas, page, document) => paintHead(canvas, letter, page, document),
  });
  flow.add(lines(flow.document.add('H1'), wrap(title, WIDTH, TITLE), TITLE, mm(7.2)));
  flow.gap(mm(5));
  for (const block of request.blocks) {
    addBlock(flow, block);
    flow.gap(mm(4));
  }
  paintFooters(flow, letter);
  return flow;
}

const TITLE: TextStyle = { size: 17, color: COLOR.ink, weight: 'semibold' };

/** Lines of one style, which stay together. */
const lines = (tag: Tag, texts: readonly string[], style: TextStyle, height: number): Block => ({
  height: texts.length * height,
  paint: (canvas, top) =>
    texts.forEach((text, i) => canvas.text(tag, FORM.left, top + height * (i + 0.75), text, style)),
});

/** A heading is never the last thing on a page. */
function addHeading(flow: Flow, heading: string | null, next: number): void {
  if (!heading) return;
  const block = lines(flow.document.add('H2'), wrap(heading, WIDTH, HEADING), HEADING, mm(6));
  flow.add({ height: block.height + next, paint: block.paint });
  flow.gap(-next);
}

function addBlock(flow: Flow, block: PaperBlock): void {
  switch (block.kind) {
    case 'text':
      addHeading(flow, block.heading, LINE);
      if (block.text) addText(flow, block.text, STYLE.body, LINE, 0);
      return;
    case 'note':
      return addText(flow, block.text, STYLE.small, mm(3.9), 0);
    case 'table':
      return addTable(flow, block);
    case 'entries':
      addHeading(flow, block.heading, mm(12));
      for (const entry of block.entries) flow.add(entryBlock(entry, flow.document));
      return;
    case 'sign':
      return flow.add(signBlock(block.labels, flow.document));
  }
}

function addTable(flow: Flow, { heading, columns, lines: rows, sums }: Extract<PaperBlock, { kind: 'table' }>): void {
  addHeading(flow, heading, mm(14));
  const [what, quantity, amount] = columns;
  const table = flow.document.add('Table');
  const cells = table.addRow('Column', 'Column', 'Column');
  flow.add({
    height: mm(5.5),
    paint: (canvas, top) => {
      canvas.text(cells[0], FORM.left, top + mm(3), what, STYLE.head);
      canvas.textRight(cells[1], QUANTITY, top + mm(3), quantity, STYLE.head);
      canvas.textRight(cells[2], FORM.right, top + mm(3), amount, STYLE.head);
      canvas.rule(FORM.left, FORM.right, top + mm(4.6), COLOR.ink, 0.8);
    },
  });
  for (const row of rows) flow.add(rowBlock(row, table));
  flow.add({
    height: mm(2) + sums.length * mm(5.4),
    paint: (canvas, top) =>
      sums.forEach(({ label, amount: value, total }, i) => {
        const sum = table.add('TR');
        const [name, figure] = [sum.add('TH', { scope: 'Row', columns: 2 }), sum.add('TD')];
        const style = total ? STYLE.figureBold : STYLE.figure;
        const y = top + mm(5) + i * mm(5.4);
        canvas.textRight(name, QUANTITY, y, clip(label, mm(100), style), style);
        canvas.textRight(figure, FORM.right, y, value, style);
      }),
  });
}

function rowBlock({ name, description, quantity, amount }: PaperLine, table: Tag): Block {
  const [text, count, figure] = table.addRow('TD', 'TD', 'TD');
  const width = QUANTITY - FORM.left - mm(22);
  const names = wrap(name, width, STYLE.bold);
  const below = description ? wrap(description, width, STYLE.small) : [];
  const height = names.length * LINE + below.length * mm(3.9) + mm(2.4);
  return {
    height,
    paint: (canvas, top) => {
      names.forEach((line, i) => canvas.text(text, FORM.left, top + mm(1) + LINE * (i + 0.75), line, STYLE.bold));
      const first = top + mm(1) + names.length * LINE;
      below.forEach((line, i) => canvas.text(text, FORM.left, first + mm(3.9) * (i + 0.75), line, STYLE.small));
      canvas.textRight(count, QUANTITY, top + mm(1) + LINE * 0.75, quantity, STYLE.figure);
      canvas.textRight(figure, FORM.right, top + mm(1) + LINE * 0.75, amount, STYLE.figure);
      canvas.rule(FORM.left, FORM.right, top + height, COLOR.line, 0.5);
    },
  };
}

function entryBlock({ title, lines: texts, picture }: PaperEntry, document: Tag): Block {
  const inner = WIDTH - mm(10);
  const wrapped = texts.flatMap((text) => wrap(text, inner, STYLE.small));
  const drawn = picture === null ? 0 : mm(16);
  const height = mm(6) + LINE + drawn + wrapped.length * mm(3.9);
  return {
    height: height + mm(2.5),
    paint: (canvas, top) => {
      canvas.roundRect(FORM.left, top, WIDTH, height, mm(1.5), COLOR.panel);
      const name = document.add('P');
      canvas.text(name, FORM.left + mm(5), top + mm(3) + LINE * 0.75, clip(title, inner, STYLE.bold), STYLE.bold);
      if (picture !== null) {
        const box = { width: mm(60), height: mm(14) };
        canvas.picture(
          document.add('Figure', { alt: title }),
          FORM.left + mm(5),
          top + mm(4) + LINE,
          Buffer.from(picture, 'base64'),
          box,
        );
      }
      const first = top + mm(3) + LINE + drawn;
      const text = document.add('P');
      wrapped.forEach((line, i) =>
        canvas.text(text, FORM.left + mm(5), first + mm(3.9) * (i + 0.75), line, STYLE.small),
      );
    },
  };
}

/** Lines to sign on, side by side. */
function signBlock(labels: readonly string[], document: Tag): Block {
  const room = (WIDTH - mm(8) * (labels.length - 1)) / Math.max(1, labels.length);
  return {
    height: mm(26),
    paint: (canvas, top) =>
      labels.forEach((label, i) => {
        const x = FORM.left + i * (room + mm(8));
        canvas.rule(x, x + room, top + mm(18), COLOR.ink, 0.6);
        canvas.text(document.add('P'), x, top + mm(22), clip(label, room, STYLE.small), STYLE.small);
      }),
  };
}
