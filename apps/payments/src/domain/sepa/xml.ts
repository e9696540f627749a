/** An element; children are text, elements, or nothing. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (Element | string)[];
}

type Child = Element | string | null | undefined | readonly (Element | null | undefined)[];

/** `el('Nm', 'Backhaus Elbe')`; null and undefined children are left out. */
export const el = (name: string, ...children: readonly Child[]): Element => elWith(name, {}, ...children);

export const elWith = (
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly Child[]
): Element => ({
  name,
  attributes,
  children: children.flat().filter((child): child is Element | string => child !== null && child !== undefined),
});

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const UNWRITABLE =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const escape = (text: string): string =>
  text.replace(UNWRITABLE, '').replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);

/** The element as XML, one line per element that holds others. */
export function writeXml(root: Element): string {
  const parts: string[] = ['<?xml version="1.0" encoding="UTF-8"?>\n'];
  write(root, '', parts);
  return parts.join('');
}

function write({ name, attributes, children }: Element, indent: string, parts: string[]): void {
  const listed = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(value)}"`);
  parts.push(indent, '<', name, ...listed, '>');
  if (children.every((child) => typeof child === 'string')) {
    for (const child of children) parts.push(escape(child as string));
  } else {
    parts.push('\n');
    for (const child of children) {
      if (typeof child === 'string') parts.push(escape(child));
      else write(child, `${indent} `, parts);
    }
    parts.push(indent);
  }
  parts.push('</', name, '>\n');
}
