import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CloseUsageResponse, EventOf, usageCorrectionV1, UsagePeriod } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { requestScope, setTenantClock } from '@kontor/persistence';
import { apiKeyPrincipal, testService, type TestService } from '@kontor/testing';
import { CloseUsage } from '../src/closings/close-usage.js';
import { MeasureClosings } from '../src/closings/measure-closings.js';
import { usageService } from '../src/index.js';
import { MeasureUsage } from '../src/measurement/measure-usage.js';

let usage: TestService;
beforeAll(async () => {
  usage = await testService(usageService, { now: new Date('2026-04-01T01:00:00.000Z') });
});
afterAll(() => usage?.stop());

type Correction = EventOf<typeof usageCorrectionV1>['payload'];

/** March in Berlin. */
const MARCH = { from: '2026-02-28T23:00:00.000Z', to: '2026-03-31T22:00:00.000Z' };
let sent = 0;

class Scene {
  readonly id = newUuid();
  readonly customer = newUuid();
  readonly send = usage.as(apiKeyPrincipal(this.id));
  metric = '';

  async begin(fields: Record<string, unknown> = {}): Promise<this> {
    await usage.giveCopy('tenant', this.id, this.id, { id: this.id, timeZone: 'Europe/Berlin' });
    await usage.giveCopy('customer', this.id, this.customer, {
      id: this.customer,
      customerNumber: 'K-1',
      timeZone: 'Europe/Berlin',
    });
    const body = {
      code: 'calls',
      name: 'Calls',
      eventName: 'call',
      aggregationType: 'sum',
      property: 'n',
      groupBy: ['region'],
      ...fields,
    };
    const answer = await this.send('POST', '/api/usage-metrics', body);
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    this.metric = answer.body.id;
    return this;
  }

  event = (timestamp: string, n: number | string, region = 'eu') => ({
    transactionId: `t${(sent += 1)}`, eventName: 'call', timestamp, customerId: this.customer, properties: { n, region },
  }); // prettier-ignore

  async ingest(...events: ReturnType<Scene['event']>[]): Promise<void> {
    expect(await this.send('POST', '/api/usage-events', { events })).toMatchObject({
      status: 202,
      body: { ingested: events.length },
    });
  }

  async void(timestamp: string): Promise<void> {
    const { body } = await this.send('GET', `/api/usage-events?customerId=${this.customer}&limit=100`);
    const found = body.data.find(
      (event: { timestamp: string; voidedAt?: string }) => event.timestamp === timestamp && !event.voidedAt,
    );
    expect((await this.send('POST', `/api/usage-events/${found.id}/void`)).status).toBeLessThan(300);
  }

  period = (fields: Partial<UsagePeriod> = {}): UsagePeriod => ({
    id: newUuid(), itemId: newUuid(), customerId: this.customer, metricId: this.metric, groupBy: [], ...MARCH, ...fields,
  }); // prettier-ignore

  close = (...periods: UsagePeriod[]): Promise<CloseUsageResponse> =>
    (usage.service.get(CloseUsage) as CloseUsage).execute(this.id, periods);

  /** The corrections published for closings, once everything that touched a closing is checked. */
  async corrections(): Promise<string[]> {
    for (;;) {
      const [{ open } = { open: 0 }] = await usage.peek<{ open: number }>(
        `SELECT count(*)::int AS open FROM due_work WHERE tenant_id = $1 AND kind = 'usage.closing'`,
        [this.id],
      );
      if (open === 0) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const rows = await usage.peek<{ payload: Correction | string }>(
      `SELECT payload FROM outbox WHERE tenant_id = $1 AND type = 'usage.correction.v1' ORDER BY id`,
      [this.id],
    );
    return rows.map(
      ({ payload }) => (typeof payload === 'string' ? (JSON.parse(payload) as Correction) : payload).closingId,
    );
  }
}

describe('a closing', () => {
  it('keeps its amounts, whatever arrives; unknown metrics and groups are refused one by one', async () => {
    const scene = await new Scene().begin();
    await scene.ingest(scene.event('2026-03-10T12:00:00Z', 1.5), scene.event('2026-03-31T21:59:59.999Z', '2.25', 'us'));
    await scene.ingest(scene.event('2026-03-31T22:00:00Z', 100), scene.event('2026-02-28T22:59:59.999Z', 100));
    const [plain, grouped] = [scene.period(), scene.period({ groupBy: ['region'] })];
    const bad = [scene.period({ metricId: newUuid() }), scene.period({ groupBy: ['city'] })];
    const first = await scene.close(plain, ...bad, grouped);
    expect(first.refused.map(({ id }) => id).sort()).toEqual(bad.map(({ id }) => id).sort());
    const byId = new Map(first.amounts.map((amount) => [amount.id, amount]));
    expect(byId.get(plain.id)).toEqual({ id: plain.id, quantity: '3.75', groups: [] });
    expect(byId.get(grouped.id)).toEqual({
      id: grouped.id, quantity: '3.75', groups: [{ group: { region: 'eu' }, quantity: '1.5' }, { group: { region: 'us' }, quantity: '2.25' }],
    }); // prettier-ignore
    await scene.ingest(scene.event('2026-03-15T12:00:00Z', 7));
    expect((await scene.close(plain, grouped)).amounts).toEqual(first.amounts.filter(({ id }) => byId.has(id)));
    expect((await scene.close(scene.period())).amounts[0]?.quantity).toBe('10.75');
  });

  it('of a process that died before it had measured is measured by the next call', async () => {
    const scene = await new Scene().begin();
    const period = scene.period();
    await usage.service.kit.database.tenant(scene.id, (tx) =>
      tx.query(
        `INSERT INTO usage_closing (
           tenant_id, id, item_id, customer_id, metric_id, meaning, carries, from_at, to_at, group_by, created_at)
         SELECT $1, $2, $3, $4, id, usage_metric_meaning(m), false, $5, $6, '[]', now()
         FROM usage_metric m
         WHERE tenant_id = $1`,
        [scene.id, period.id, period.itemId, period.customerId, MARCH.from, MARCH.to],
      ),
    );
    await scene.ingest(scene.event('2026-03-10T12:00:00Z', 4));
    expect(await scene.corrections()).toEqual([]);
    expect((await scene.close(period)).amounts[0]?.quantity).toBe('4');
    await scene.ingest(scene.event('2026-03-10T12:00:00Z', 1));
    expect(await scene.corrections()).toEqual([period.id]);
  });

  it('measures only when everybody who was storing events has ended', async () => {
    const scene = await new Scene().begin();
    const storing = await usage.service.kit.database.pool.connect();
    await storing.query(
      `begin; select set_config('app.tenant', '${scene.id}', true); select usage_metrics_begin('${scene.id}')`,
    );
    let closed = false;
    const closing = scene.close(scene.period()).then(() => (closed = true));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(closed).toBe(false);
    await storing.query('commit');
    storing.release();
    expect(await closing).toBe(true);
  });

  it('that takes long holds up no other: what is measured is kept, and the rest is there when it is asked for again', async () => {
    const scene = await new Scene().begin({ aggregationType: 'count_unique', groupBy: [] });
    await scene.ingest(...Array.from({ length: 60 }, (_, n) => scene.event('2026-03-10T12:00:00Z', n % 7)));
    const other = newUuid();
    await usage.giveCopy('customer', scene.id, other, { id: other, customerNumber: 'K-2', timeZone: 'Europe/Berlin' });
    await scene.ingest({ ...scene.event('2026-03-10T12:00:00Z', 1), customerId: other });
    const busy = Array.from({ length: 40 }, () => scene.period());
    const quick = scene.period({ customerId: other });
    // Reading the busy customer's events takes as long as this says.
    const read = usage.service.get(MeasureUsage) as MeasureUsage;
    const execute = read.execute.bind(read);
    let delayMs = 450;
    let measured = 0;
    read.execute = async (tx, asks) => {
      const slow = asks.filter(({ customerId }) => customerId === scene.customer);
      measured += slow.length;
      for (let n = 0; n < slow.length; n++) await new Promise((resolve) => setTimeout(resolve, delayMs));
      return execute(tx, asks);
    };
    try {
      const first = await scene.close(quick, ...busy);
      expect(first.open.length).toBeGreaterThan(20);
      expect(first.amounts.length + first.open.length).toBe(41);
      delayMs = 5;
      const known = new Map(first.amounts.map((amount) => [amount.id, amount]));
      let open = [quick, ...busy].filter(({ id }) => !known.has(id));
      for (let round = 0; open.length > 0 && round < 20; round++) {
        for (const amount of (await scene.close(...open)).amounts) known.set(amount.id, amount);
        open = open.filter(({ id }) => !known.has(id));
      }
      expect(busy.map(({ id }) => known.get(id)?.quantity)).toEqual(busy.map(() => '7'));
      expect(known.get(quick.id)?.quantity).toBe('1');
      // Nobody's events were read twice.
      expect(measured).toBe(40);
    } finally {
      read.execute = execute;
    }
  });

  it('that is being measured is looked at afterwards when something arrives meanwhile', async () => {
    const scene = await new Scene().begin({ aggregationType: 'count_unique', groupBy: [] });
    await scene.ingest(scene.event('2026-03-10T12:00:00Z', 1));
    const read = usage.service.get(MeasureUsage) as MeasureUsage;
    const execute = read.execute.bind(read);
    const period = scene.period();
    try {
      let arrived = false;
      read.execute = async (tx, asks) => {
        const found = await execute(tx, asks);
        if (arrived || !asks.some(({ key }) => key === period.id)) return found;
        arrived = true;
        // Not of this transaction, as another process would.
        await requestScope.exit(() => scene.ingest(scene.event('2026-03-11T12:00:00Z', 2)));
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        return found;
      };
      expect((await scene.close(period)).amounts[0]?.quantity ?? '1').toBe('1');
      expect(await scene.corrections()).toEqual([period.id]);
    } finally {
      read.execute = execute;
    }
  });

  it('is corrected once; what happens now and changes nothing is not a correction', async () => {
    const scene = await new Scene().begin();
    await scene.ingest(scene.event('2026-03-10T12:00:00Z', 5));
    const period = scene.period({ groupBy: ['region'] });
    await scene.close(period);
    await scene.ingest(scene.event('2026-04-01T00:30:00Z', 5), scene.event('2026-03-12T12:00:00Z', 0));
    expect(await scene.corrections()).toEqual([]);
    await scene.ingest(scene.event('2026-03-31T21:00:00Z', 1));
    await scene.ingest(scene.event('2026-03-31T21:00:00Z', 1));
    expect(await scene.corrections()).toEqual([period.id]);
    const next = scene.period({ groupBy: ['region'], itemId: period.itemId });
    expect((await scene.close(next)).amounts[0]?.quantity).toBe('7');
    await scene.void('2026-03-10T12:00:00.000Z');
    expect(await scene.corrections()).toEqual([period.id, next.id]);
  });

  it('whose events were removed is corrected by nothing, and a correction that has begun says what was billed', async () => {
    const scene = await new Scene().begin({ aggregationType: 'count_unique', groupBy: [] });
    await scene.ingest(...['a', 'b', 'c'].map((n) => scene.event('2026-03-10T12:00:00Z', n)));
    const period = scene.period();
    expect((await scene.close(period)).amounts[0]?.quantity).toBe('3');
    await scene.ingest(scene.event('2026-03-20T12:00:00Z', 'd'));
    expect(await scene.corrections()).toEqual([period.id]);
    await usage.peek('UPDATE usage_tenant SET raw_from = $2 WHERE tenant_id = $1', [scene.id, '2026-03-15T00:00:00Z']);
    await usage.peek('DELETE FROM usage_event WHERE tenant_id = $1 AND occurred_at < $2', [scene.id, '2026-03-15']);

    const next = scene.period({ itemId: period.itemId });
    expect((await scene.close(next)).amounts[0]?.quantity).toBe('3');
    await scene.ingest(scene.event('2026-03-20T12:00:00Z', 'e'));
    expect(await scene.corrections()).toEqual([period.id]);
  });

  it('that rollups answer is corrected after its events were removed', async () => {
    const scene = await new Scene().begin();
    await scene.ingest(scene.event('2026-03-10T12:00:00Z', 5));
    const [period, ragged] = [scene.period(), scene.period({ to: '2026-03-31T21:30:00.000Z' })];
    await scene.close(period, ragged);
    await usage.peek('UPDATE usage_tenant SET raw_from = $2 WHERE tenant_id = $1', [scene.id, '2026-04-01T00:30:00Z']);
    await usage.peek('DELETE FROM usage_event WHERE tenant_id = $1', [scene.id]);
    await scene.ingest(scene.event('2026-03-20T12:00:00Z', 2));
    expect(await scene.corrections()).toEqual([period.id]);
    const [next, same] = [scene.period({ itemId: period.itemId }), { ...ragged, id: newUuid() }];
    const { amounts } = await scene.close(next, same);
    expect(new Map(amounts.map(({ id, quantity }) => [id, quantity]))).toEqual(
      new Map([
        [next.id, '7'],
        [same.id, '5'],
      ]),
    );
  });

  it('is none of what retention is removing while it is measured', async () => {
    const scene = await new Scene().begin({ aggregationType: 'count_unique' });
    await scene.ingest(scene.event('2026-03-10T12:00:00Z', 1));
    const [removed, kept] = [scene.period(), scene.period({ from: '2026-03-05T23:00:00.000Z' })];
    await scene.close(removed, kept);
    const measuring = usage.service.get(MeasureClosings) as MeasureClosings;
    const { execute } = measuring;
    measuring.execute = async (...args) => {
      await usage.peek(`UPDATE usage_tenant SET raw_from = '2026-03-02T00:00:00Z' WHERE tenant_id = $1`, [scene.id]);
      return execute.apply(measuring, args);
    };
    try {
      await scene.ingest(scene.event('2026-03-11T12:00:00Z', 2));
      expect(await scene.corrections()).toEqual([kept.id]);
    } finally {
      measuring.execute = execute;
    }
  });

  it('of a level is changed by what happened before it', async () => {
    const scene = await new Scene().begin({
      aggregationType: 'weighted_sum',
      groupBy: [],
      rounding: { mode: 'half_up', scale: 2 },
    });
    await scene.ingest(scene.event('2026-02-01T00:00:00Z', 10));
    const period = scene.period();
    expect((await scene.close(period)).amounts[0]?.quantity).toBe('10');
    await scene.ingest(scene.event('2026-02-20T00:00:00Z', 20));
    expect(await scene.corrections()).toEqual([period.id]);
    expect((await scene.close(scene.period())).amounts[0]?.quantity).toBe('20');
  });

  it('is still watched when the metric is counted by the hour, and no more when it means something else', async () => {
    const scene = await new Scene().begin();
    await scene.ingest(scene.event('2026-03-10T12:00:00Z', 5));
    const period = scene.period();
    await scene.close(period);
    const put = (fields: Record<string, unknown>) =>
      scene.send('PUT', `/api/usage-metrics/${scene.metric}`, {
        code: 'calls',
        name: 'Calls',
        eventName: 'call',
        aggregationType: 'sum',
        property: 'n',
        groupBy: ['region'],
        ...fields,
      });
    expect((await put({ rollup: 'hour' })).status).toBe(200);
    await scene.ingest(scene.event('2026-03-11T12:00:00Z', 1));
    expect(await scene.corrections()).toEqual([period.id]);
    const next = scene.period();
    await scene.close(next);
    await put({ filters: [{ property: 'region', operator: 'eq', value: 'us' }] });
    await scene.ingest(scene.event('2026-03-11T12:00:00Z', 1, 'us'));
    expect(await scene.corrections()).toEqual([period.id]);
  });
});

describe('events that race with closings', () => {
  it('are billed exactly once: in a closing or in the correction that follows it', async () => {
    const scene = await new Scene().begin();
    const itemId = newUuid();
    await scene.ingest(scene.event('2026-03-01T10:00:00Z', 1));
    let stored = 1;
    let stop = false;
    const ingesting = Array.from({ length: 4 }, async (_, worker) => {
      for (let n = 0; !stop; n++) {
        const events = Array.from({ length: 1 + (n % 7) }, () =>
          scene.event(`2026-03-${String(1 + ((n + worker) % 31)).padStart(2, '0')}T10:00:00Z`, 1),
        );
        await scene.ingest(...events);
        stored += events.length;
      }
    });
    // As billing does it: a period is closed again for each closing that has changed, and the difference is charged.
    const charged = new Map<string, bigint>();
    const closeAgain = async (): Promise<bigint> => {
      const period = scene.period({ itemId });
      for (;;) {
        const { amounts } = await scene.close(period);
        // One that is looked at already is open until that has ended.
        if (!amounts[0]) continue;
        charged.set(period.id, BigInt(amounts[0].quantity));
        return BigInt(amounts[0].quantity);
      }
    };
    const differences: bigint[] = [];
    let total = 0n;
    const bill = async (): Promise<void> => {
      const now = await closeAgain();
      differences.push(now - total);
      total = now;
    };
    await bill();
    const answered = new Set<string>();
    const answer = async (): Promise<void> => {
      for (const id of await scene.corrections()) {
        if (answered.has(id)) continue;
        answered.add(id);
        await bill();
      }
    };
    // However slow the machine is: they race until enough of both has happened.
    while (stored <= 100 || differences.length <= 3) await answer();
    stop = true;
    await Promise.all(ingesting);
    for (let round = 0; round < 4; round++) await answer();
    expect(differences.reduce((sum, difference) => sum + difference, 0n)).toBe(BigInt(stored));
    // Each closing was corrected at most once, and only the last closing is still true.
    expect(answered.size).toBe(charged.size - 1);
  });

  it('under a frozen clock are looked at at once', async () => {
    const scene = await new Scene().begin();
    await usage.service.kit.database.system((sql) =>
      setTenantClock(sql, scene.id, new Date('2026-04-01T02:00:00.000Z')),
    );
    const period = scene.period();
    await scene.close(period);
    await scene.ingest(scene.event('2026-03-10T12:00:00Z', 5));
    expect(await scene.corrections()).toEqual([period.id]);
  });
});
