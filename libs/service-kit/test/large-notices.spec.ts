import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid, uuidAt } from '@kontor/kernel';
import { forgetOld } from '@kontor/persistence';
import { testService, type TestService } from '@kontor/testing';
import { largeNoticeRule } from '../src/service/retention.js';
import { sampleService } from './sample-service.js';

const DAY_MS = 86_400_000;

describe('what was too large for an event', () => {
  let test: TestService;

  beforeAll(async () => {
    test = await testService(sampleService);
  });
  afterAll(() => test.stop());

  const store = (tenantId: string, daysAgo: number, count: number): Promise<unknown> =>
    test.peek(
      `INSERT INTO large_notice (tenant_id, id, data, created_at)
       SELECT $1, ('${uuidAt(new Date(Date.now() - daysAgo * DAY_MS)).slice(0, 24)}' || lpad(to_hex(n), 12, '0'))::uuid, '{}', '2020-01-01'
       FROM generate_series(1, $2) n`,
      [tenantId, count],
    );
  const forget = (tenantId: string, days: number | null = 90): Promise<number> =>
    forgetOld(test.service.kit.database, tenantId, largeNoticeRule(days), { portion: 4 });

  it('goes in portions after the days of the event log, whatever the tenant’s clock said, and only of that tenant', async () => {
    const [tenantId, other] = [newUuid(), newUuid()];
    for (const id of [tenantId, other]) for (const days of [91, 89, 0]) await store(id, days, 10);
    expect(await forget(tenantId, null)).toBe(0);
    expect(await forget(tenantId)).toBe(10);
    expect(await forget(tenantId)).toBe(0);
    expect(await test.peek('SELECT count(*)::int AS n FROM large_notice GROUP BY tenant_id ORDER BY n')).toEqual([
      { n: 20 },
      { n: 30 },
    ]);
  });

  it('stays where the clock of this machine is wrong: its days are the database’s', async () => {
    const tenantId = newUuid();
    await store(tenantId, 1, 3);
    const Machine = Date;
    const ahead = 200 * DAY_MS;
    globalThis.Date = class extends Machine {
      constructor(...given: [number]) {
        super(...(given.length > 0 ? given : ([Machine.now() + ahead] as [number])));
      }
      static override now = (): number => Machine.now() + ahead;
    } as DateConstructor;
    try {
      expect(await forget(tenantId)).toBe(0);
    } finally {
      globalThis.Date = Machine;
    }
    expect(await forget(tenantId, 0)).toBe(3);
  });

  it('stays while an event that may name it is not published', async () => {
    const tenantId = newUuid();
    await store(tenantId, 91, 3);
    const aside = [newUuid(), tenantId];
    await test.peek(
      `INSERT INTO outbox_quarantine (outbox_id, event_id, tenant_id, topic, aggregate_id)
       VALUES (9000000000, $1, $2, 'billing.customer', 'a')`,
      aside,
    );
    expect(await forget(tenantId)).toBe(0);
    await test.peek('DELETE FROM outbox_quarantine WHERE event_id = $1 AND tenant_id = $2', aside);
    expect(await forget(tenantId)).toBe(3);
  });

  it('stays while the relay is behind by as many days', async () => {
    const tenantId = newUuid();
    await store(tenantId, 91, 3);
    const database = test.service.kit.database;
    const waiting = `INSERT INTO outbox (event_id, tenant_id, aggregate_id, aggregate_seq, topic, type, payload, headers, effective_at, day)
       VALUES ($1, $2, 'a', 1, 'billing.customer', 'billing.customer.changed.v1', '{}', '{}', now(), current_date - 92)`;
    const kept = await database.tenant(tenantId, async (tx) => {
      await tx.query(waiting, [newUuid(), tenantId]);
      const { where } = largeNoticeRule(90);
      return tx.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM large_notice t WHERE t.tenant_id = $1 AND NOT (${where})`,
        [tenantId],
      );
    });
    expect(kept).toEqual([{ n: 3 }]);
  });
});
