/** What is unpacked so far: grows as needed, up to a limit that what claims to be small cannot pass. */
export class Unpacked {
  private bytes = Buffer.allocUnsafe(64 * 1024);
  private length = 0;

  constructor(private readonly limit: number) {}

  get size(): number {
    return this.length;
  }

  /** @throws RangeError when `length` bytes from `at` on are not there, or more would be unpacked than the limit. */
  append(input: Buffer, at: number, length: number): void {
    if (at + length > input.length) throw new RangeError('The compressed data ends too early.');
    this.makeRoom(length);
    input.copy(this.bytes, this.length, at, at + length);
    this.length += length;
  }

  /**
   * Repeats `length` bytes that begin `distance` before the end; where they reach beyond it, what is appended is repeated, too.
   * @throws RangeError when there are not so many, or more would be unpacked than the limit.
   */
  repeat(distance: number, length: number): void {
    if (distance < 1 || distance > this.length)
      throw new RangeError('The compressed data refers to what is not there.');
    this.makeRoom(length);
    for (let left = length; left > 0;) {
      const piece = Math.min(left, distance);
      this.bytes.copyWithin(this.length, this.length - distance, this.length - distance + piece);
      this.length += piece;
      left -= piece;
    }
  }

  content(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  private makeRoom(more: number): void {
    const needed = this.length + more;
    if (needed > this.limit) throw new RangeError(`The compressed data is larger than ${this.limit} bytes.`);
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.min(this.limit, Math.max(needed, 2 * this.bytes.length)));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}
