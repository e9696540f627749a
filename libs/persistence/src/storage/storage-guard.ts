import { statfs } from 'node:fs/promises';
import { DomainError } from '@kontor/kernel';

export interface StorageGuardOptions {
  /** Folders whose file systems are watched; those that cannot be asked are left out. */
  readonly folders?: () => readonly string[];
  /** With less than so many free bytes nothing is written any more. */
  readonly reserveBytes?: number;
  /** Called when the storage has become full and when there is room again. */
  readonly onChange?: (state: StorageState) => void;
  /** Called with every look. */
  readonly onLook?: (state: StorageState) => void;
  readonly lookMs?: number;
}

export interface StorageState {
  readonly isFull: boolean;
  /** The least free of the watched file systems; null when none is watched. */
  readonly freeBytes: number | null;
  /** Something could not be written although there are enough free bytes: no inode is left, or a quota, or it was another disk. */
  readonly isRefused: boolean;
}

const LOOK_MS = 500;
/** So long a refusal of the database's disk, which cannot be watched from here, is believed. */
const BELIEVED_MS = 5_000;
/** Room again means somewhat more than the reserve: otherwise it would go back and forth. */
const MARGIN = 1.25;
const FULL_CODES = new Set(['53100', 'ENOSPC', 'EDQUOT']);

/**
 * Knows whether there is room to write: by the free bytes of the watched file systems, and by what the database refused.
 * Writes stop while there still is a reserve, because a database without room for its log ends.
 */
export class StorageGuard {
  private low = false;
  private freeBytes: number | null = null;
  private refusedUntil = 0;
  private wasFull = false;
  private timer: NodeJS.Timeout | undefined;
  private waiting: (() => void)[] = [];
  private ended = false;

  constructor(private readonly options: StorageGuardOptions = {}) {}

  get isFull(): boolean {
    return this.low || performance.now() < this.refusedUntil;
  }

  get state(): StorageState {
    const { isFull, freeBytes, low } = this;
    return { isFull, freeBytes, isRefused: isFull && !low };
  }

  /** Looks once, and then on and on. */
  async start(): Promise<void> {
    await this.look();
    if (!this.ended) this.timer = setInterval(() => void this.look(), this.options.lookMs ?? LOOK_MS).unref();
  }

  /** Looks no more; whoever waits for room goes on. */
  stop(): void {
    this.ended = true;
    clearInterval(this.timer);
    this.release();
  }

  /** Takes note of an error that may say that a disk is full. */
  notice(error: unknown): void {
    const { code, driverError } = (error ?? {}) as { code?: unknown; driverError?: { code?: unknown } };
    if (!FULL_CODES.has(String(driverError?.code ?? code))) return;
    this.refusedUntil = performance.now() + BELIEVED_MS;
    this.report();
    setTimeout(() => this.report(), BELIEVED_MS + 10).unref();
  }

  /** @throws DomainError 507 `storage_full`. */
  requireRoom(): void {
    if (this.isFull) throw storageFull();
  }

  /** Resolves at once, or when there is room again, or when the guard is stopped. */
  async room(): Promise<void> {
    while (this.isFull && !this.ended) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private async look(): Promise<void> {
    const { folders = () => [], reserveBytes = 0 } = this.options;
    const free = await Promise.all(folders().map(freeBytesOf));
    const known = free.filter((bytes) => bytes !== null);
    this.freeBytes = known.length === 0 ? null : Math.min(...known);
    if (this.freeBytes !== null) this.low = this.freeBytes < (this.low ? reserveBytes * MARGIN : reserveBytes);
    this.report();
    this.options.onLook?.(this.state);
  }

  private report(): void {
    const { isFull } = this;
    if (isFull !== this.wasFull) {
      this.wasFull = isFull;
      this.options.onChange?.(this.state);
    }
    if (!isFull) this.release();
  }

  private release(): void {
    for (const go of this.waiting.splice(0)) go();
  }
}

/** A write that is refused before anything has happened. */
export const storageFull = (): DomainError =>
  new DomainError('storage_full', {
    kind: 'storage_full',
    detail: 'The storage is full: nothing can be written until there is room again. Reading goes on.',
    retryAfterSeconds: 30,
  });

const freeBytesOf = (folder: string): Promise<number | null> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  );
