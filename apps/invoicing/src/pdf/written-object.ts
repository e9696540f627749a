import { copyStringIntoBuffer, PDFObject } from 'pdf-lib';

/** An object of a PDF as it stands in the file: what is the same in all files, or many of a kind, need not be built. */
export class WrittenObject extends PDFObject {
  /** @param content Text of single bytes, or the bytes themselves. */
  constructor(readonly content: string | Uint8Array) {
    super();
  }

  static of(object: PDFObject): WrittenObject {
    const bytes = new Uint8Array(object.sizeInBytes());
    object.copyBytesInto(bytes, 0);
    return new WrittenObject(bytes);
  }

  override sizeInBytes(): number {
    return this.content.length;
  }

  override copyBytesInto(buffer: Uint8Array, offset: number): number {
    if (typeof this.content === 'string') return copyStringIntoBuffer(this.content, buffer, offset);
    buffer.set(this.content, offset);
    return this.content.length;
  }
}
