/** What a part of a document is to whoever cannot see it. @see ISO 32000-1, 14.8.4 */
export type Role =
  'Document' | 'H1' | 'H2' | 'P' | 'L' | 'LI' | 'Lbl' | 'LBody' | 'Table' | 'TR' | 'TH' | 'TD' | 'Figure';

/** A stretch of a page's painting instructions; `id` counts from 0 on each page. */
export interface Mark {
  readonly page: number;
  readonly id: number;
}

/** A cell of a table: data, or the heading of its column or row. */
export type Cell = 'TD' | 'Column' | 'Row';

interface TagDetails {
  /** Of a TH: whose heading it is. */
  readonly scope?: 'Column' | 'Row';
  /** Of a cell: how many columns it has. */
  readonly columns?: number;
  /** Of a figure: what it shows, in words. */
  readonly alt?: string;
}

/**
 * A part of a document, in the order in which it is read, with the marks of what was painted for it. What is painted for
 * none is an ornament, or is said elsewhere.
 */
export class Tag {
  readonly kids: (Tag | Mark)[] = [];

  constructor(
    readonly role: Role,
    readonly details: TagDetails = {},
  ) {}

  add(role: Role, details?: TagDetails): Tag {
    const tag = new Tag(role, details);
    this.kids.push(tag);
    return tag;
  }

  /** A label and what it labels, of a list of such. */
  addPair(): readonly [label: Tag, value: Tag] {
    const item = this.add('LI');
    return [item.add('Lbl'), item.add('LBody')];
  }

  /** The cells of a further row of a table. */
  addRow<const Cells extends readonly Cell[]>(...cells: Cells): { readonly [Index in keyof Cells]: Tag } {
    const row = this.add('TR');
    const added = cells.map((cell) => (cell === 'TD' ? row.add('TD') : row.add('TH', { scope: cell })));
    return added as { readonly [Index in keyof Cells]: Tag };
  }
}
