const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const COPY_DATA = 0x64;
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4]);
const FRAME_BYTES = 5;
const SHORT = 64;
const USUAL_BYTES = 512 * 1024;
/** A larger buffer was for a batch of large events and is released. */
const KEPT_BYTES = 4 * 1024 * 1024;
const EPOCH_2000_MS = 946_684_800_000;
/** Up to here microseconds are exact in a double; it reaches from 1715 to 2285. */
const EXACT_MS = 9e12;

/**
 * PostgreSQL's binary COPY format, framed as protocol messages, in one buffer that is used again and again.
 * @see https://www.postgresql.org/docs/18/sql-copy.html#SQL-COPY-FILE-FORMATS-BINARY
 */
export class CopyBuffer {
  private bytes = Buffer.allocUnsafe(USUAL_BYTES);
  private at = 0;
  private frameAt = 0;

  clear(): void {
    this.at = 0;
    if (this.bytes.length > KEPT_BYTES) this.bytes = Buffer.allocUnsafe(USUAL_BYTES);
  }

  /** What was written since `clear`; valid until the next one. */
  content(): Buffer {
    return this.bytes.subarray(0, this.at);
  }

  begin(): void {
    this.reserve(FRAME_BYTES + SIGNATURE.length);
    this.frameAt = this.at;
    this.bytes[this.at] = COPY_DATA;
    this.at += FRAME_BYTES;
    this.at += SIGNATURE.copy(this.bytes, this.at);
  }

  end(): void {
    this.reserve(2 + COPY_DONE.length);
    this.at = this.bytes.writeInt16BE(-1, this.at);
    this.bytes.writeInt32BE(this.at - this.frameAt - 1, this.frameAt + 1);
    this.at += COPY_DONE.copy(this.bytes, this.at);
  }

  /** Starts a row; `textLength` is the number of UTF-16 units of all its texts. */
  row(columns: number, textLength: number): void {
    this.reserve(2 + columns * 24 + textLength * 3);
    this.at = this.bytes.writeInt16BE(columns, this.at);
  }

  uuid(value: Uint8Array): void {
    this.int32(16);
    this.bytes.set(value, this.at);
    this.at += 16;
  }

  /** The first 16 characters are the bytes. */
  uuidOfLatin1(value: string): void {
    this.int32(16);
    for (let i = 0; i < 16; i++) this.bytes[this.at + i] = value.charCodeAt(i);
    this.at += 16;
  }

  instant(ms: number): void {
    this.int32(8);
    const sinceMs = ms - EPOCH_2000_MS;
    if (Math.abs(sinceMs) > EXACT_MS) {
      this.at = this.bytes.writeBigInt64BE(BigInt(sinceMs) * 1000n, this.at);
      return;
    }
    const high = Math.floor((sinceMs * 1000) / 0x1_0000_0000);
    this.int32(high);
    this.int32((sinceMs * 1000 - high * 0x1_0000_0000) | 0);
  }

  text(value: string): void {
    const length = this.characters(value, this.at + 4);
    this.int32(length);
    this.at += length;
  }

  jsonb(json: string): void {
    const length = this.characters(json, this.at + 5);
    this.int32(length + 1);
    this.bytes[this.at] = 1;
    this.at += length + 1;
  }

  /** In UTF-8; returns the number of bytes. Short ASCII is faster by hand than through a call out of JavaScript. */
  private characters(value: string, at: number): number {
    const { bytes } = this;
    const { length } = value;
    if (length > SHORT) return bytes.write(value, at, 'utf8');
    for (let i = 0; i < length; i++) {
      const code = value.charCodeAt(i);
      if (code > 0x7f) return bytes.write(value, at, 'utf8');
      bytes[at + i] = code;
    }
    return length;
  }

  private int32(value: number): void {
    const { bytes, at } = this;
    bytes[at] = value >>> 24;
    bytes[at + 1] = value >>> 16;
    bytes[at + 2] = value >>> 8;
    bytes[at + 3] = value;
    this.at = at + 4;
  }

  private reserve(count: number): void {
    if (this.at + count <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.at + count));
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
  }
}
