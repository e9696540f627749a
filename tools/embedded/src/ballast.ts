import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorageState } from '@kontor/persistence';

/**
 * What a recovery needs: copies of a database take their room on the disk only when they are first written out (some 45 MB in the first
 * quarter of an hour), the log wants a new file of 16 MB, and what cannot be written is logged meanwhile.
 */
const SIZE = 128 * 1024 * 1024;
const PIECE = Buffer.alloc(1024 * 1024);
/** With less than this the ballast is removed. */
const EMERGENCY_BYTES = 32 * 1024 * 1024;

/**
 * A file that takes up room until the disk is really full: then it goes, so that the database can go on with reads and with
 * its recovery. It comes back when there is room.
 */
export class Ballast {
  private readonly file: string;
  private busy: Promise<void> = Promise.resolve();

  /** `reserveBytes` stay free beside it. */
  constructor(
    dataDir: string,
    private readonly reserveBytes: number,
  ) {
    this.file = join(dataDir, 'storage.reserve');
  }

  /** Throws the ballast off, or takes it in again. Does one thing after the other and never fails. */
  adjust({ isFull, freeBytes }: StorageState): Promise<void> {
    this.busy = this.busy
      .then(async () => {
        if (freeBytes !== null && freeBytes < EMERGENCY_BYTES) await rm(this.file, { force: true });
        else if (!isFull && freeBytes !== null && freeBytes > 1.5 * this.reserveBytes + 2 * SIZE) await this.takeIn();
      })
      .catch(() => undefined);
    return this.busy;
  }

  private async takeIn(): Promise<void> {
    if ((await stat(this.file).catch(() => null))?.size === SIZE) return;
    const file = await open(this.file, 'w', 0o600);
    try {
      // Real bytes: a hole would take up no room.
      for (let written = 0; written < SIZE; written += PIECE.length) await file.write(PIECE);
    } catch (error) {
      await rm(this.file, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  }
}
