import { XMLParser, XMLValidator } from 'fast-xml-parser';

const parser = new XMLParser({
  removeNSPrefix: true,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  jPath: false,
});

/** The file tries to harm who reads it, or cannot be read at all. */
export class UnreadableFile extends Error {}
/** What lies there is no e-invoice. */
export class NoEInvoice extends Error {}

type Parsed = string | { readonly [name: string]: Parsed | readonly Parsed[] | undefined } | undefined;

/** An element, or nothing: whatever is asked of nothing is empty. */
export class XmlNode {
  constructor(private readonly value: Parsed) {}

  get exists(): boolean {
    return this.value !== undefined;
  }

  /** The first child of a path of names. */
  at(...path: readonly string[]): XmlNode {
    let found = this.value;
    for (const name of path) {
      const next = typeof found === 'object' ? found[name] : undefined;
      found = (Array.isArray(next) ? next[0] : next) as Parsed;
    }
    return new XmlNode(found);
  }

  all(name: string): XmlNode[] {
    const found = typeof this.value === 'object' ? this.value[name] : undefined;
    if (found === undefined) return [];
    return (Array.isArray(found) ? (found as Parsed[]) : [found as Parsed]).map((value) => new XmlNode(value));
  }

  get text(): string | null {
    const text = typeof this.value === 'object' ? this.value['#text'] : this.value;
    return typeof text === 'string' && text !== '' ? text : null;
  }

  attribute(name: string): string | null {
    const found = typeof this.value === 'object' ? this.value[`@${name}`] : undefined;
    return typeof found === 'string' ? found : null;
  }
}

/**
 * The document as a node with its root as the only child.
 * @throws UnreadableFile for a DOCTYPE or entities of its own; NoEInvoice for what is not well-formed
 */
export function parseXml(bytes: Uint8Array): XmlNode {
  let xml: string;
  try {
    xml = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new NoEInvoice('The file is no XML in UTF-8.');
  }
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw new UnreadableFile('The XML has a DOCTYPE, which e-invoices never have.');
  try {
    const checked = XMLValidator.validate(xml);
    if (checked !== true)
      throw new NoEInvoice(
        `The XML is not well-formed: ${checked.err.msg.slice(0, 200)} (line ${checked.err.line}, column ${checked.err.col}).`,
      );
    return new XmlNode(parser.parse(xml) as Parsed);
  } catch (error) {
    if (error instanceof NoEInvoice) throw error;
    throw new UnreadableFile('The XML is nested too deeply or has too many entities.');
  }
}
