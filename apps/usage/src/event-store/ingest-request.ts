import {
  isItemError,
  type ItemError,
  readUsageEvent,
  sizeError,
  type ReceivedEvent,
} from '../domain/event-store/read-usage-event.js';

/** `ingested + duplicates + failed` is the number of items. */
export interface IngestResult {
  ingested: number;
  duplicates: number;
  failed: number;
  errors: ItemError[];
}

/** The items of one request, read; what is wrong with one of them by itself is in `errors` already. */
export interface IngestRequest {
  readonly tenantId: string;
  readonly events: readonly ReceivedEvent[];
  readonly errors: readonly ItemError[];
}

export interface ItemsOptions {
  /** No text in the items holds a NUL character or half of a surrogate pair: looking for them can be spared. */
  readonly plainText?: boolean;
  /** None is larger than an event may be: measuring them can be spared. */
  readonly small?: boolean;
}

export function readItems(
  tenantId: string,
  items: readonly unknown[],
  { plainText = false, small = false }: ItemsOptions,
): IngestRequest {
  const events: ReceivedEvent[] = [];
  const errors: ItemError[] = [];
  for (let index = 0; index < items.length; index++) {
    const read = readUsageEvent(items[index], index, plainText);
    const error = isItemError(read) ? read : small ? undefined : sizeError(read);
    if (error) errors.push(error);
    else events.push(read as ReceivedEvent);
  }
  return { tenantId, events, errors };
}
