import { Canvas } from './canvas.js';
import { FORM } from './sheet.js';
import { Tag } from './tag.js';

/** The pages of a document, and what they hold in the order in which it is read. */
export interface Layout {
  readonly pages: readonly Canvas[];
  readonly document: Tag;
}

/** Something of a fixed height (points) that is painted below what came before. */
export interface Block {
  readonly height: number;
  readonly paint: (canvas: Canvas, top: number) => void;
}

/** A line of the table of positions. */
export interface TableLine extends Block {
  /** Sum of the net amounts down to this line, minor units: what is carried over when the page ends after it. */
  readonly runningNet: number;
  /** No page ends between this line and the next. */
  readonly keepWithNext: boolean;
}

export interface TableFrame {
  readonly header: Block;
  readonly carriedTo: (net: number) => Block;
  readonly carriedFrom: (net: number, page: number) => Block;
}

/** How the pages of a flow begin and end. */
export interface PageFrame {
  /** Where the text of a page begins; pages count from 1. */
  readonly topOf: (page: number) => number;
  /** Nothing goes below this. */
  readonly bottom: number;
  /** What is on a page before its text; absent: nothing is painted at all, pages are counted only. */
  readonly open?: (canvas: Canvas, page: number, document: Tag) => void;
}

/** Puts blocks one below the other and starts a new page where one doesn't fit. */
export class Flow implements Layout {
  readonly pages: Canvas[] = [];
  /** What the pages hold, in the order in which it is read. */
  readonly document = new Tag('Document');
  private y = 0;

  constructor(private readonly frame: PageFrame) {
    this.newPage();
  }

  add(block: Block): void {
    if (this.y + block.height > this.frame.bottom && this.y > FORM.nextTop) this.newPage();
    this.paint(block);
  }

  /** Space between blocks; none at the top of a page. */
  gap(height: number): void {
    if (this.y > FORM.nextTop) this.y += height;
  }

  /**
   * Positions with their header on every page and the sum carried over. The last of them stays together with `tail`
   * (the totals), so that no page shows totals alone.
   */
  table(lines: readonly TableLine[], frame: TableFrame, tail: Block): void {
    const chunks = chunksOf(lines);
    const carryHeight = frame.carriedTo(0).height;
    const first = chunks[0];
    if (first && this.y + frame.header.height + heightOf(first) + carryHeight > this.frame.bottom) this.newPage();
    this.paint(frame.header);
    let carried = 0;
    chunks.forEach((chunk, i) => {
      const last = i === chunks.length - 1;
      const reserved = last ? tail.height : carryHeight;
      if (i > 0 && this.y + heightOf(chunk) + reserved > this.frame.bottom) {
        this.paint(frame.carriedTo(carried));
        this.newPage();
        this.paint(frame.header);
        this.paint(frame.carriedFrom(carried, this.pages.length - 1));
      }
      for (const line of chunk) this.paint(line);
      carried = chunk.at(-1)?.runningNet ?? carried;
    });
    this.add(tail);
  }

  private paint(block: Block): void {
    const canvas = this.pages.at(-1);
    if (canvas && this.frame.open) block.paint(canvas, this.y);
    this.y += block.height;
  }

  private newPage(): void {
    const canvas = new Canvas(this.pages.length);
    this.pages.push(canvas);
    this.y = this.frame.topOf(this.pages.length);
    this.frame.open?.(canvas, this.pages.length, this.document);
  }
}

const heightOf = (blocks: readonly Block[]): number => blocks.reduce((sum, block) => sum + block.height, 0);

function chunksOf(lines: readonly TableLine[]): TableLine[][] {
  const chunks: TableLine[][] = [];
  let open: TableLine[] = [];
  for (const line of lines) {
    open.push(line);
    if (line.keepWithNext) continue;
    chunks.push(open);
    open = [];
  }
  if (open.length > 0) chunks.push(open);
  return chunks;
}
