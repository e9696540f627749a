import { randomFillSync } from 'node:crypto';

const RANDOM_BYTES = 7;

/**
 * Ids of one batch: ULIDs whose time is the real time of arrival, in the order of the batch. Time (6 bytes), random per
 * batch (7), position in the batch (3).
 */
export class EventIds {
  private readonly bytes = new Uint8Array(16);
  private readonly prefix: string;

  constructor(arrivedAtMs: number) {
    for (let i = 5, rest = arrivedAtMs; i >= 0; i--, rest = Math.floor(rest / 256)) this.bytes[i] = rest % 256;
    randomFillSync(this.bytes, 6, RANDOM_BYTES);
    this.prefix = Buffer.from(this.bytes.subarray(0, 13)).toString('hex');
  }

  /** The 16 bytes; valid until the next call. */
  bytesOf(position: number): Uint8Array {
    this.bytes[13] = position >>> 16;
    this.bytes[14] = position >>> 8;
    this.bytes[15] = position;
    return this.bytes;
  }

  /** In UUID form. */
  textOf(position: number): string {
    const hex = this.prefix + position.toString(16).padStart(6, '0');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }
}
