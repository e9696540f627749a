import { type PDFContext, PDFHexString, PDFRawStream, type PDFRef, PDFString } from 'pdf-lib';
import { pack } from './pack.js';
import type { EmbeddedXml } from './xmp.js';

/** Puts the XML of an invoice into a PDF as a file; the catalogue is to name it. @see ISO 19005-3, 6.8 */
export function embedFile(context: PDFContext, { bytes, fileName }: EmbeddedXml, instant: PDFString): PDFRef {
  const packed = pack(bytes);
  const params = { ModDate: instant, Size: bytes.length };
  const dictionary = { Type: 'EmbeddedFile', Subtype: 'text/xml', Params: params, Length: packed.length };
  const stream = context.register(PDFRawStream.of(context.obj({ ...dictionary, Filter: 'FlateDecode' }), packed));
  return context.register(
    context.obj({
      Type: 'Filespec',
      F: PDFString.of(fileName),
      UF: PDFHexString.fromText(fileName),
      AFRelationship: 'Alternative',
      Desc: PDFString.of('Invoice as XML (EN 16931)'),
      EF: { F: stream, UF: stream },
    }),
  );
}
