/** An invoice in XML inside the PDF, as the PDF's metadata announce it. */
export interface EmbeddedXml {
  readonly bytes: Uint8Array;
  readonly fileName: 'factur-x.xml' | 'xrechnung.xml';
  readonly conformanceLevel: 'EN 16931' | 'XRECHNUNG';
}

/** How the XML of a document goes along: authorities get an XRechnung. */
export const embeddedXml = (bytes: Uint8Array, isXRechnung: boolean): EmbeddedXml =>
  isXRechnung
    ? { bytes, fileName: 'xrechnung.xml', conformanceLevel: 'XRECHNUNG' }
    : { bytes, fileName: 'factur-x.xml', conformanceLevel: 'EN 16931' };

const escape = (text: string): string =>
  text
    .replace(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      '',
    )
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');

interface Schema {
  readonly name: string;
  readonly address: string;
  readonly prefix: string;
  readonly category: 'internal' | 'external';
  readonly properties: readonly (readonly [name: string, type: 'Text' | 'Integer', description: string])[];
}

/** Properties of a schema that PDF/A does not know are described where they are used. */
const described = ({ name, address, prefix, category, properties }: Schema): string =>
  `<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>${name}</pdfaSchema:schema>` +
  `<pdfaSchema:namespaceURI>${address}</pdfaSchema:namespaceURI><pdfaSchema:prefix>${prefix}</pdfaSchema:prefix>` +
  `<pdfaSchema:property><rdf:Seq>${properties
    .map(
      ([property, type, description]) =>
        `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${property}</pdfaProperty:name>` +
        `<pdfaProperty:valueType>${type}</pdfaProperty:valueType><pdfaProperty:category>${category}</pdfaProperty:category>` +
        `<pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`,
    )
    .join('')}</rdf:Seq></pdfaSchema:property></rdf:li>`;

const FACTUR_X = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';
const SCHEMA = described({
  name: 'Factur-X PDFA Extension Schema',
  address: FACTUR_X,
  prefix: 'fx',
  category: 'external',
  properties: [
    ['DocumentFileName', 'Text', 'name of the embedded XML invoice file'],
    ['DocumentType', 'Text', 'INVOICE'],
    ['Version', 'Text', 'version of the XML invoice standard'],
    ['ConformanceLevel', 'Text', 'conformance level of the embedded XML invoice'],
  ],
});
const PDF_UA = 'http://www.aiim.org/pdfua/ns/id/';
const ACCESSIBLE = described({
  name: 'PDF/UA Universal Accessibility Schema',
  address: PDF_UA,
  prefix: 'pdfuaid',
  category: 'internal',
  properties: [['part', 'Integer', 'part of ISO 14289 that the file keeps to']],
});
const extension = (...schemas: readonly string[]): string =>
  '<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" ' +
  'xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">' +
  `<pdfaExtension:schemas><rdf:Bag>${schemas.join('')}</rdf:Bag></pdfaExtension:schemas></rdf:Description>`;
const EXTENSION = { alone: extension(ACCESSIBLE), withXml: extension(ACCESSIBLE, SCHEMA) };

function aboutXml({ fileName, conformanceLevel }: EmbeddedXml): string {
  // Readers know the version of the profile: of XRechnung the standard's, else the one of Factur-X.
  const version = conformanceLevel === 'XRECHNUNG' ? '3.0' : '1.0';
  return (
    `<rdf:Description rdf:about="" xmlns:fx="${FACTUR_X}"><fx:DocumentType>INVOICE</fx:DocumentType>` +
    `<fx:DocumentFileName>${fileName}</fx:DocumentFileName><fx:Version>${version}</fx:Version>` +
    `<fx:ConformanceLevel>${conformanceLevel}</fx:ConformanceLevel></rdf:Description>`
  );
}

const RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"';
const NOTHING =
  '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">' +
  `<rdf:RDF ${RDF}></rdf:RDF></x:xmpmeta><?xpacket end="r"?>`;

/**
 * What somebody else's file says about itself, and that it has an invoice inside. Of PDF/A-2 it becomes PDF/A-3, which
 * differs in what may be inside; what was no PDF/A stays none.
 */
export function withXml(xmp: string | null, xml: EmbeddedXml): string {
  const known = xmp !== null && /<\/rdf:RDF>/.test(xmp) ? xmp : NOTHING;
  const cleaned = known
    .replace(/(<pdfaid:part>\s*)2(\s*<\/pdfaid:part>)/, '$13$2')
    .replace(/(pdfaid:part\s*=\s*["'])2(["'])/, '$13$2');
  const schemas = /(<pdfaExtension:schemas>\s*<rdf:Bag>)/;
  const prefixed = SCHEMA.replace(
    '<rdf:li ',
    '<rdf:li xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#" ',
  );
  return schemas.test(cleaned)
    ? cleaned.replace(schemas, `$1${prefixed}`).replace('</rdf:RDF>', `${aboutXml(xml)}</rdf:RDF>`)
    : cleaned.replace('</rdf:RDF>', `${aboutXml(xml)}${extension(SCHEMA)}</rdf:RDF>`);
}

/** Which part of PDF/A a file says that it keeps; null when it says none. */
export const pdfaPartOf = (xmp: string | null): string | null =>
  /pdfaid:part(?:>|\s*=\s*["'])\s*(\d)/.exec(xmp ?? '')?.[1] ?? null;

/**
 * What a file says about itself that is PDF/A-3b and, because all of its parts are tagged, PDF/UA-1; the same as its
 * information dictionary.
 * @see ISO 19005-3, 6.6; ISO 14289-1, 5
 */
export function xmpOf(about: {
  readonly title: string;
  readonly author: string;
  readonly producer: string;
  /** `YYYY-MM-DDThh:mm:ssZ` */
  readonly instant: string;
  readonly xml: EmbeddedXml | null;
}): string {
  const { title, author, producer, instant, xml } = about;
  return (
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>' +
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ${RDF}>` +
    '<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" xmlns:dc="http://purl.org/dc/elements/1.1/" ' +
    'xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" ' +
    `xmlns:pdfuaid="${PDF_UA}">` +
    '<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance><pdfuaid:part>1</pdfuaid:part>' +
    `<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escape(title)}</rdf:li></rdf:Alt></dc:title>` +
    (author ? `<dc:creator><rdf:Seq><rdf:li>${escape(author)}</rdf:li></rdf:Seq></dc:creator>` : '') +
    `<pdf:Producer>${producer}</pdf:Producer><xmp:CreateDate>${instant}</xmp:CreateDate><xmp:ModifyDate>${instant}</xmp:ModifyDate>` +
    `</rdf:Description>${xml ? aboutXml(xml) + EXTENSION.withXml : EXTENSION.alone}</rdf:RDF></x:xmpmeta><?xpacket end="r"?>`
  );
}
