import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ExportRowsResponse } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { servicePrincipal } from '@kontor/testing';
import { type World, world } from './world.js';

const MIB = 1024 * 1024;

/** An event of a document with a thousand positions has a megabyte, one of a run's more: others wait while a page of them is written and read. */
describe('events that are long', () => {
  let here: World;
  beforeAll(async () => void (here = await world()));
  afterAll(() => here.stop());

  const store = (tenantId: string, from: number, to: number, text: string): Promise<unknown> =>
    here.webhooks.peek(
      `INSERT INTO webhook_event (tenant_id, id, type, object_id, sequence, data, created_at)
       SELECT $1, '01AN4Z07BY' || lpad(n::text, 16, '0'), 'invoice.paid', 'object', n, $2, now()
       FROM generate_series(${from}::int, ${to}::int) n`,
      [tenantId, JSON.stringify({ text })],
    );
  /** Nothing packs it much. */
  const noise = (bytes: number): string => randomBytes(bytes / 2).toString('hex');

  it('are exported one by one, each once, and short ones in pages of 200', async () => {
    const tenantId = newUuid();
    await store(tenantId, 1, 210, 'short');
    await store(tenantId, 211, 213, noise(MIB));
    await store(tenantId, 214, 216, 'packs well '.repeat(MIB / 10));
    await store(tenantId, 217, 220, 'short');
    const ask = here.webhooks.as(servicePrincipal(tenantId, 'identity'));
    const sequences: number[][] = [];
    for (let after: string | null = ''; after !== null;) {
      const query = after === '' ? '' : `?after=${encodeURIComponent(after)}`;
      const { body } = await ask('GET', `/internal/exports/tables/webhook_event${query}`);
      const { columns, rows, next } = body as ExportRowsResponse;
      sequences.push(rows.map((row) => Number(row[columns.indexOf('sequence')])));
      after = next;
    }
    expect(sequences.flat()).toEqual(Array.from({ length: 220 }, (_, n) => n + 1));
    expect(sequences.map(({ length }) => length)).toEqual([200, 10, 1, 1, 1, 1, 1, 1, 4]);
  });

  it('are listed as far as they have 20 MB together, one alone whatever it has', async () => {
    const { id, send } = await here.tenant();
    await store(id, 1, 19, noise(MIB));
    expect((await send('GET', '/events?limit=100')).body.data).toHaveLength(19);
    await store(id, 20, 20, noise(MIB));
    const refused = await send('GET', '/events?limit=100');
    expect([refused.status, refused.body.reason]).toEqual([422, 'query_too_large']);
    expect((await send('GET', '/events?limit=10&page=2')).body.data).toHaveLength(10);
    expect((await send('GET', '/events?limit=0')).body.meta.pagination.totalItems).toBe(20);
    await store(id, 21, 21, noise(22 * MIB));
    expect((await send('GET', '/events?limit=1')).body.data).toHaveLength(1);
  });
});
