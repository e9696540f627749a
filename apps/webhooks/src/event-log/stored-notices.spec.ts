import { describe, expect, it } from '@jest/globals';
import type { InternalClient } from '@kontor/service-kit';
import type { FoundNotice } from '../domain/event-log/notices.js';
import { StoredNotices } from './stored-notices.js';

const found = (data: Record<string, unknown> | null): FoundNotice => ({
  notice: { type: 'invoice.created', objectId: 'i', data, customerId: 'c', activity: null },
  at: new Date('2026-01-31T02:00:00.000Z'),
  actor: null,
});

describe('notices with their data elsewhere', () => {
  it('get them from the owner, once each; all others stay as they are', async () => {
    const asked: unknown[] = [];
    const client = {
      call: async (...args: unknown[]) => (asked.push(args), { invoice: { id: 'i' } }),
    } as unknown as InternalClient;
    const large = found({ $stored: { service: 'invoicing', path: '/internal/stored-notices/7' } });
    const small = found({ invoice: { id: 'j' } });
    const resolved = await new StoredNotices(client).resolve('t', [large, small, found(null)]);
    expect(resolved.map(({ notice }) => notice.data)).toEqual([
      { invoice: { id: 'i' } },
      { invoice: { id: 'j' } },
      null,
    ]);
    expect(asked).toEqual([['invoicing', 'GET', '/internal/stored-notices/7', undefined, { tenantId: 't' }]]);
  });
});
