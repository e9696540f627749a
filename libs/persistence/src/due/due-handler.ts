import 'reflect-metadata';
import type { TenantId } from '@kontor/kernel';
import type { DueItem } from './due-work.js';

const METADATA = 'kontor:due-handler';

/** Due work of one kind and one tenant, claimed together. */
export interface DueBatch {
  readonly tenantId: TenantId;
  /** The tenant's time: what due work means by "now". Open transactions with `{ now: batch.now }`. */
  readonly now: Date;
  readonly items: readonly DueItem[];
  /** Aborted when the process stops: long work gives up, and is taken up again by the next start. */
  readonly signal: AbortSignal;
}

export interface DueHandlerOptions {
  readonly kind: string;
  /** Most items in one call. Default 100. */
  readonly batchSize?: number;
  /** Batches of this kind that one process works on at once. Default 2. Kinds do not wait for each other. */
  readonly parallel?: number;
}

export interface DueWorker {
  /**
   * Does the work and ends each item with `completeDue` in the transaction of its effect. An item that is not ended counts
   * as failed and is tried again after a growing pause; when a batch of several throws, each is tried alone. With `NotYet`, its
   * tenant waits while others go on.
   */
  handle(batch: DueBatch): Promise<void>;
}

/** Marks a provider as the worker for due work of a kind; service-kit finds it and registers it with the runner. */
export const DueHandler =
  (options: DueHandlerOptions): ClassDecorator =>
  (target) =>
    Reflect.defineMetadata(METADATA, options, target);

/** The options of a `@DueHandler` instance, or undefined for any other object. */
export function dueHandlerOf(instance: unknown): DueHandlerOptions | undefined {
  if (typeof instance !== 'object' || instance === null || typeof instance.constructor !== 'function') return undefined;
  return Reflect.getMetadata(METADATA, instance.constructor) as DueHandlerOptions | undefined;
}
