import type { Notice, ServiceName, StoredNoticeData } from '@kontor/contracts';
import { newUuid, type Sql, type Tx } from '@kontor/kernel';
import { messagingHooks } from '../ports.js';
import { fits } from './fits.js';

/** Payloads of more bytes than this have the data of their notices stored beside them: an event may have 256 KiB. */
const INLINE_BYTES = 204_800;

interface LargeNotice {
  readonly id: string;
  readonly data: string;
}

/** Takes the notices' data out of payloads that are too large; what several notices share is stored once. */
export class LargeNotices {
  private readonly taken: LargeNotice[] = [];

  constructor(private readonly tx: Tx) {}

  /** The payload as text, with references where it had data. */
  lighten(payload: unknown, text: string): string {
    const { notices } = payload as { notices?: readonly Notice[] };
    const service = messagingHooks().serviceOf?.(this.tx) as ServiceName | undefined;
    if (!notices?.length || !service || fits(text, INLINE_BYTES)) return text;
    const places = new Map<string, StoredNoticeData>();
    const light = notices.map((notice) => {
      if (notice.data === null) return notice;
      const data = JSON.stringify(notice.data);
      let place = places.get(data);
      if (!place) places.set(data, (place = this.take(service, data)));
      return { ...notice, data: place };
    });
    return JSON.stringify({ ...(payload as object), notices: light });
  }

  async store(): Promise<void> {
    if (this.taken.length === 0) return;
    await this.tx.query(
      `INSERT INTO large_notice (tenant_id, id, data, created_at)
       SELECT $1, n.id, n.data, $2 FROM unnest($3::uuid[], $4::json[]) AS n (id, data)`,
      [this.tx.tenantId, this.tx.now, this.taken.map(({ id }) => id), this.taken.map(({ data }) => data)],
    );
  }

  private take(service: ServiceName, data: string): StoredNoticeData {
    const id = newUuid();
    this.taken.push({ id, data });
    return { $stored: { service, path: `/internal/stored-notices/${id}` } };
  }
}

/** The data of a notice that were too large for its event; undefined where the tenant has no such. */
export async function findLargeNotice(
  sql: Sql,
  tenantId: string,
  id: string,
): Promise<Record<string, unknown> | undefined> {
  const rows = await sql.query<{ data: Record<string, unknown> }>(
    'SELECT data FROM large_notice WHERE tenant_id = $1 AND id = $2',
    [tenantId, id],
  );
  return rows[0]?.data;
}
