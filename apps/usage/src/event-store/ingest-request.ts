import {
  isItemError,
  type ItemError,
  readUsageEvent,
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

export function readItems(tenantId: string, items: readonly unknown[], plainText: boolean): IngestRequest {
  const events: ReceivedEvent[] = [];
  const errors: ItemError[] = [];
  for (let index = 0; index < items.length; index++) {
    const read = readUsageEvent(items[index], index, plainText);
    if (isItemError(read)) errors.push(read);
    else events.push(read);
  }
  return { tenantId, events, errors };
}
