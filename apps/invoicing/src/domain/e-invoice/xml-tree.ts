import { onDemand } from '@kontor/kernel';

/** Loaded with the first file: it is 160 modules. */
const library = onDemand<typeof import('xmlbuilder2')>('xmlbuilder2', import.meta.url);

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

/** Stands for a text in markup that is made ahead; no text of a document can be it. */
const GAP = '\u0000';
/** Shapes of trees with the markup around their texts; a document has about ten, documents of a tenant share them. */
const markups = new Map<string, readonly string[]>();
const MANY_SHAPES = 500;

/**
 * A tree as a file. The library makes the markup of each shape of a tree once; later trees of that shape put their
 * texts into it. Its document tree takes most of the time otherwise, and it would read `&#65;` in a text as an A.
 */
export const xmlOf = (root: XmlTree): string => `<?xml version="1.0" encoding="UTF-8"?>${written(root)}`;

function written(root: XmlTree): string {
  const texts: string[] = [];
  const shape = shapeOf(root, texts);
  let markup = markups.get(shape);
  if (!markup) {
    if (markups.size >= MANY_SHAPES) markups.clear();
    markup = library().create(withGaps(root)).end({ headless: true }).split(GAP);
    markups.set(shape, markup);
  }
  let xml = markup[0] ?? '';
  texts.forEach((text, i) => (xml += text + (markup[i + 1] ?? '')));
  return xml;
}

/** The names of a tree in their order; collects what goes between them. Each item of a list is a tree of its own. */
function shapeOf(parts: XmlTree, texts: string[]): string {
  let shape = '';
  for (const name in parts) {
    const content = parts[name] as XmlContent;
    if (isNamespace(name)) shape += `${name}=${content as string} `;
    else if (typeof content === 'string') {
      shape += `${name} `;
      texts.push(name.startsWith('@') ? escaped(content).replaceAll('"', '&quot;') : escaped(content));
    } else if (isList(content)) {
      shape += '* ';
      texts.push(content.map((item) => written({ [name]: item })).join(''));
    } else shape += `${name}(${shapeOf(content, texts)})`;
  }
  return shape;
}

/** The same tree with a gap for each text and for each list. */
function withGaps(parts: XmlTree): XmlTree {
  const gaps: Record<string, XmlContent> = {};
  for (const [name, content] of Object.entries(parts)) {
    if (isNamespace(name)) gaps[name] = content;
    else if (typeof content === 'string') gaps[name] = GAP;
    else if (isList(content)) gaps[`#${name}`] = GAP;
    else gaps[name] = withGaps(content);
  }
  return gaps;
}

/** The library looks at namespaces. */
const isNamespace = (name: string): boolean => name.startsWith('@xmlns');
const isList = (content: XmlContent): content is readonly (string | XmlTree)[] => Array.isArray(content);

const escaped = (text: string): string =>
  /[&<>]/.test(text) ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : text;
