import { invariant } from '@kontor/kernel';
import { type PDFContext, PDFRawStream } from 'pdf-lib';
import { WrittenObject } from './written-object.js';

/** Says that the file holds bytes, not text only. */
const HEADER = '%PDF-1.7\n%\x81\x81\x81\x81\n\n';

/**
 * The file of all objects, numbered without gaps. The writer of pdf-lib counts each object's bytes first, and copies streams byte by
 * byte: here short ones gather as text, and only streams are copied.
 * @see ISO 32000-1, 7.5
 */
export function writeFile(context: PDFContext): Uint8Array {
  const { largestObjectNumber, trailerInfo } = context;
  const objects = context.enumerateIndirectObjects();
  invariant(objects.length === largestObjectNumber, 'the objects of a file are numbered without gaps');
  const file = new FileBytes(HEADER);
  const entries: string[] = [];
  for (const [ref, object] of objects) {
    entries.push(`${String(file.length).padStart(10, '0')} 00000 n \n`);
    file.add(`${ref.objectNumber} 0 obj\n`);
    if (object instanceof WrittenObject) file.add(object.content);
    else if (object instanceof PDFRawStream) {
      object.updateDict();
      file.add(`${object.dict.toString()}\nstream\n`);
      file.add(object.contents);
      file.add('\nendstream');
    } else file.add(object.toString());
    file.add('\nendobj\n\n');
  }
  const start = file.length;
  const { Root, Info, ID } = trailerInfo;
  const trailer = context.obj({ Size: largestObjectNumber + 1, Root, Info, ID }).toString();
  file.add(`xref\n0 ${largestObjectNumber + 1}\n0000000000 65535 f \n${entries.join('')}\n`);
  file.add(`trailer\n${trailer}\n\nstartxref\n${start}\n%%EOF`);
  return file.bytes();
}

/** Text of single bytes and bytes, one after the other. */
class FileBytes {
  private readonly pieces: (string | Uint8Array)[] = [];
  private size = 0;

  constructor(private text: string) {}

  get length(): number {
    return this.size + this.text.length;
  }

  add(piece: string | Uint8Array): void {
    if (typeof piece === 'string') {
      this.text += piece;
      return;
    }
    this.pieces.push(this.text, piece);
    this.size += this.text.length + piece.length;
    this.text = '';
  }

  bytes(): Uint8Array {
    const bytes = Buffer.allocUnsafeSlow(this.length);
    let at = 0;
    for (const piece of [...this.pieces, this.text]) {
      if (typeof piece === 'string') bytes.write(piece, at, 'latin1');
      else bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }
}
