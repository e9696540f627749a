import type { PaperBlock, PaperEntry, PaperLine, PaperRequest } from '@kontor/contracts';
import type { SnapshotSeller } from '../domain/finalization/document-snapshot.js';
import { type Canvas, mm, type TextStyle } from './canvas.js';
import { type Block, Flow } from './flow.js';
import { formatDay } from './format.js';
import { LABELS } from './labels.js';
import { addText } from './lay-out-document.js';
import { type Letter, paintContinuation, paintFooter, paintLetterhead } from './letterhead.js';
import { COLOR, FORM, STYLE } from './sheet.js';
import { clip, wrap } from './wrap.js';

/** What another service wants written, and whose letter it is. */
export interface Paper {
  readonly request: PaperRequest;
  readonly seller: SnapshotSeller;
}

const WIDTH = FORM.right - FORM.left;
const LINE = mm(4.4);
const QUANTITY = FORM.right - mm(32);
const HEADING: TextStyle = { size: 11, color: COLOR.ink, weight: 'semibold' };

/** The pages of a letter in the design of the invoices. */
export function layOutPaper({ request, seller }: Paper): Canvas[] {
  const { language, title, day } = request;
  const letter: Letter = {
    seller,
    recipient: request.recipient,
    language,
    labels: LABELS[language],
    rows: request.references,
    headline: `${title}  ·  ${formatDay(day, language)}`,
  };
  const flow = new Flow((canvas, page) => {
    if (page === 1) paintLetterhead(canvas, letter);
    else paintContinuation(canvas, letter);
    return page === 1 ? FORM.subject : FORM.nextTop;
  }, FORM.bottom);
  flow.add(lines(wrap(title, WIDTH, TITLE), TITLE, mm(7.2)));
  flow.gap(mm(5));
  for (const block of request.blocks) {
    addBlock(flow, block);
    flow.gap(mm(4));
  }
  flow.pages.forEach((canvas, i) => paintFooter(canvas, letter, i + 1, flow.pages.length));
  return flow.pages;
}

const TITLE: TextStyle = { size: 17, color: COLOR.ink, weight: 'semibold' };

/** Lines of one style, which stay together. */
const lines = (texts: readonly string[], style: TextStyle, height: number): Block => ({
  height: texts.length * height,
  paint: (canvas, top) => texts.forEach((text, i) => canvas.text(FORM.left, top + height * (i + 0.75), text, style)),
});

/** A heading is never the last thing on a page. */
function addHeading(flow: Flow, heading: string | null, next: number): void {
  if (!heading) return;
  const block = lines(wrap(heading, WIDTH, HEADING), HEADING, mm(6));
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
      for (const entry of block.entries) flow.add(entryBlock(entry));
      return;
    case 'sign':
      return flow.add(signBlock(block.labels));
  }
}

function addTable(flow: Flow, { heading, columns, lines: rows, sums }: Extract<PaperBlock, { kind: 'table' }>): void {
  addHeading(flow, heading, mm(14));
  const [what, quantity, amount] = columns;
  flow.add({
    height: mm(5.5),
    paint: (canvas, top) => {
      canvas.text(FORM.left, top + mm(3), what, STYLE.head);
      canvas.textRight(QUANTITY, top + mm(3), quantity, STYLE.head);
      canvas.textRight(FORM.right, top + mm(3), amount, STYLE.head);
      canvas.rule(FORM.left, FORM.right, top + mm(4.6), COLOR.ink, 0.8);
    },
  });
  for (const row of rows) flow.add(rowBlock(row));
  flow.add({
    height: mm(2) + sums.length * mm(5.4),
    paint: (canvas, top) =>
      sums.forEach(({ label, amount: value, total }, i) => {
        const style = total ? STYLE.figureBold : STYLE.figure;
        const y = top + mm(5) + i * mm(5.4);
        canvas.textRight(QUANTITY, y, clip(label, mm(100), style), style);
        canvas.textRight(FORM.right, y, value, style);
      }),
  });
}

function rowBlock({ name, description, quantity, amount }: PaperLine): Block {
  const width = QUANTITY - FORM.left - mm(22);
  const names = wrap(name, width, STYLE.bold);
  const below = description ? wrap(description, width, STYLE.small) : [];
  const height = names.length * LINE + below.length * mm(3.9) + mm(2.4);
  return {
    height,
    paint: (canvas, top) => {
      names.forEach((line, i) => canvas.text(FORM.left, top + mm(1) + LINE * (i + 0.75), line, STYLE.bold));
      const first = top + mm(1) + names.length * LINE;
      below.forEach((line, i) => canvas.text(FORM.left, first + mm(3.9) * (i + 0.75), line, STYLE.small));
      canvas.textRight(QUANTITY, top + mm(1) + LINE * 0.75, quantity, STYLE.figure);
      canvas.textRight(FORM.right, top + mm(1) + LINE * 0.75, amount, STYLE.figure);
      canvas.rule(FORM.left, FORM.right, top + height, COLOR.line, 0.5);
    },
  };
}

function entryBlock({ title, lines: texts, picture }: PaperEntry): Block {
  const inner = WIDTH - mm(10);
  const wrapped = texts.flatMap((text) => wrap(text, inner, STYLE.small));
  const drawn = picture === null ? 0 : mm(16);
  const height = mm(6) + LINE + drawn + wrapped.length * mm(3.9);
  return {
    height: height + mm(2.5),
    paint: (canvas, top) => {
      canvas.roundRect(FORM.left, top, WIDTH, height, mm(1.5), COLOR.panel);
      canvas.text(FORM.left + mm(5), top + mm(3) + LINE * 0.75, clip(title, inner, STYLE.bold), STYLE.bold);
      if (picture !== null) {
        const box = { width: mm(60), height: mm(14) };
        canvas.picture(FORM.left + mm(5), top + mm(4) + LINE, Buffer.from(picture, 'base64'), box);
      }
      const first = top + mm(3) + LINE + drawn;
      wrapped.forEach((line, i) => canvas.text(FORM.left + mm(5), first + mm(3.9) * (i + 0.75), line, STYLE.small));
    },
  };
}

/** Lines to sign on, side by side. */
function signBlock(labels: readonly string[]): Block {
  const room = (WIDTH - mm(8) * (labels.length - 1)) / Math.max(1, labels.length);
  return {
    height: mm(26),
    paint: (canvas, top) =>
      labels.forEach((label, i) => {
        const x = FORM.left + i * (room + mm(8));
        canvas.rule(x, x + room, top + mm(18), COLOR.ink, 0.6);
        canvas.text(x, top + mm(22), clip(label, room, STYLE.small), STYLE.small);
      }),
  };
}
