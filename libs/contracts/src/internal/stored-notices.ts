import type { ServiceName } from '../services.js';

/** In place of a notice's data that is too large for its event: whoever delivers it fetches it once from its owner. */
export interface StoredNoticeData {
  $stored: {
    service: ServiceName;
    /** Internal GET that answers the data: `/internal/stored-notices/<id>`. */
    path: string;
  };
}

/** Where a notice's data are to be fetched; null when they are the data themselves. */
export const storedNoticeOf = (data: Readonly<Record<string, unknown>>): StoredNoticeData['$stored'] | null =>
  (data as Partial<StoredNoticeData>).$stored ?? null;
