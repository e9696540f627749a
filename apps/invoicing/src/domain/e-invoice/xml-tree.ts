import { create } from 'xmlbuilder2';

/** An element's content: text, elements by name (several of a name as a list), attributes as `@name` beside the text `#`. */
export type XmlContent = string | XmlTree | readonly (string | XmlTree)[];
export interface XmlTree {
  readonly [name: string]: XmlContent;
}

type Loose = Readonly<Record<string, XmlContent | null | undefined>>;

/** The elements that are there; undefined when none is, so that an empty parent is left out as well. */
export function tree(parts: Loose): XmlTree | undefined {
  let found: Record<string, XmlContent> | undefined;
  for (const name in parts) {
    const content = parts[name];
    if (content === null || content === undefined || (Array.isArray(content) && content.length === 0)) continue;
    found ??= {};
    found[name] = content;
  }
  return found;
}

export const xmlOf = (root: XmlTree): string => create({ version: '1.0', encoding: 'UTF-8' }, root).end();
