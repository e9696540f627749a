import { type PDFContext, PDFHexString, type PDFRef } from 'pdf-lib';
import type { Mark, Tag } from './tag.js';
import { WrittenObject } from './written-object.js';

/** A page, and which part each of its marks belongs to. */
export interface MarkedPage {
  readonly ref: PDFRef;
  readonly marks: readonly Tag[];
}

/** The parts of a document as the catalogue names them. @see ISO 32000-1, 14.7 */
export function writeTags(context: PDFContext, document: Tag, pages: readonly MarkedPage[]): PDFRef {
  const tree = context.nextRef();
  const refs = new Map<Tag, PDFRef>();
  const write = (tag: Tag, parent: PDFRef): PDFRef => {
    const ref = context.nextRef();
    refs.set(tag, ref);
    const kids = tag.kids.filter((kid) => !('role' in kid) || isThere(kid));
    const page = kids.find((kid): kid is Mark => 'id' in kid)?.page;
    const texts = kids.map((kid) => {
      if ('role' in kid) return write(kid, ref).toString();
      return kid.page === page ? String(kid.id) : `<</Type/MCR/Pg ${pages[kid.page]?.ref.toString()}/MCID ${kid.id}>>`;
    });
    const on = page === undefined ? '' : `/Pg ${pages[page]?.ref.toString()}`;
    const text = `<</S/${tag.role}/P ${parent.toString()}${on}${detailsOf(tag)}/K[${texts.join(' ')}]>>`;
    context.assign(ref, new WrittenObject(text));
    return ref;
  };
  const root = write(document, tree);
  const parents = pages.map(({ marks }, n) => `${n}[${marks.map((tag) => refs.get(tag)?.toString()).join(' ')}]`);
  const text = `<</Type/StructTreeRoot/K ${root.toString()}/ParentTree<</Nums[${parents.join('')}]>>/ParentTreeNextKey ${pages.length}>>`;
  context.assign(tree, new WrittenObject(text));
  return tree;
}

/** Nothing was painted for it: an empty cell is still a cell. */
const isThere = ({ role, kids }: Tag): boolean =>
  role === 'TD' || role === 'TH' || kids.some((kid) => !('role' in kid) || isThere(kid));

function detailsOf({ details: { scope, columns, alt } }: Tag): string {
  const attributes = `${scope ? `/Scope/${scope}` : ''}${columns ? `/ColSpan ${columns}` : ''}`;
  return `${attributes ? `/A<</O/Table${attributes}>>` : ''}${alt ? `/Alt ${PDFHexString.fromText(alt).toString()}` : ''}`;
}
