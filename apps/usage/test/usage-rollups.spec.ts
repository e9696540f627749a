import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal, eventually, howMany, testSeed, testService, type TestService } from '@kontor/testing';
import fc from 'fast-check';
import { AGGREGATION_TYPES } from '../src/domain/metrics/metric.js';
import { usageService } from '../src/index.js';
import { buildStep, lockMetrics } from '../src/rollups/build-rollups.js';
import { type PlainEvent, type PlainMetric, plainValue } from './usage-reference.js';

type ValueOf<A> = A extends fc.Arbitrary<infer T> ? T : never;

/** Nine days with the change to summer time in them. */
const BEGIN = Date.parse('2026-03-26T00:00:00Z');
const HOUR = 3_600_000;
let usage: TestService;

beforeAll(async () => {
  usage = await testService(usageService, { now: new Date('2026-04-05T00:00:00.000Z') });
});
afterAll(() => usage.stop());

const anEvent = fc.record({
  at: fc.oneof(
    fc.integer({ min: 0, max: 9 * 24 }).map((hours) => BEGIN + hours * HOUR),
    fc.integer({ min: 0, max: 9 * 24 * HOUR }).map((ms) => BEGIN + ms),
  ),
  cents: fc.option(fc.oneof(fc.integer({ min: -300, max: 300 }), fc.constantFrom(0, 100, 12345678901)), { freq: 8 }),
  asText: fc.boolean(),
  customer: fc.integer({ min: 0, max: 1 }),
  kind: fc.constantFrom('a', 'b'),
  region: fc.constantFrom('eu', 'us'),
});
const aPeriod = fc.record({
  from: fc.oneof(fc.integer({ min: 0, max: 216 }).map((h) => h * HOUR), fc.integer({ min: 0, max: 216 * HOUR })), // prettier-ignore
  length: fc.oneof(fc.integer({ min: 1, max: 216 }).map((h) => h * HOUR), fc.integer({ min: 1, max: 216 * HOUR })), // prettier-ignore
  granularity: fc.constantFrom('', 'day', 'hour', 'month'),
  customer: fc.constantFrom(0, 1, null),
  grouped: fc.boolean(),
});
const aCommand = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('ingest' as const), events: fc.array(anEvent, { minLength: 1, maxLength: 12 }), again: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('void' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('change' as const), metric: fc.nat(8), filtered: fc.boolean(), hours: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rebuild' as const), metric: fc.nat(8), limit: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('build' as const), limit: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('repair' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('ask' as const), periods: fc.array(aPeriod, { minLength: 1, maxLength: 2 }) }) },
); // prettier-ignore

/** A tenant with a metric of each kind, and the list of its events that the answers are compared with. */
class Scene {
  readonly id = newUuid();
  readonly customers = [newUuid(), newUuid()];
  readonly send = usage.as(apiKeyPrincipal(this.id));
  readonly metrics: (PlainMetric & { id: string; hours: boolean })[] = [];
  events: PlainEvent[] = [];
  private sent = 0;

  async begin(): Promise<this> {
    await usage.giveCopy('tenant', this.id, this.id, { id: this.id, timeZone: 'Europe/Berlin' });
    const zones = ['Europe/Berlin', 'Asia/Kolkata'];
    for (const [i, id] of this.customers.entries())
      await usage.giveCopy('customer', this.id, id, { id, customerNumber: `K-${i}`, timeZone: zones[i] });
    for (const [i, type] of AGGREGATION_TYPES.entries())
      this.metrics.push({ ...(await this.put(type, i % 2 === 0, i % 3 === 0)), type });
    return this;
  }

  async put(type: string, filtered: boolean, hours: boolean, id?: string) {
    const answer = await this.send(id ? 'PUT' : 'POST', `/api/usage-metrics${id ? `/${id}` : ''}`, {
      code: type, name: type, eventName: 'used', aggregationType: type, property: type === 'count' ? null : 'v.amount',
      percentile: type === 'percentile' ? '90' : null,
      filters: filtered ? [{ property: 'kind', operator: 'in', value: ['a', 'c'] }] : [], groupBy: ['region'], rollup: hours ? 'hour' : 'day',
    }); // prettier-ignore
    expect(answer.status).toBeLessThan(300);
    return { id: answer.body.id as string, kinds: filtered ? ['a', 'c'] : null, hours };
  }

  async run(command: ValueOf<typeof aCommand>): Promise<void> {
    switch (command.do) {
      case 'ingest':
        return this.ingest(command.events, command.again);
      case 'void': {
        const event = this.events[command.which % Math.max(1, this.events.length)];
        if (!event) return;
        expect((await this.send('POST', `/api/usage-events/${event.id}/void`)).status).toBeLessThan(300);
        this.events = this.events.filter((kept) => kept !== event);
        return;
      }
      case 'change': {
        const metric = this.metrics[command.metric]!;
        this.metrics[command.metric] = {
          ...(await this.put(metric.type, command.filtered, command.hours, metric.id)),
          type: metric.type,
        };
        return;
      }
      case 'rebuild':
        return usage.service.kit.database.tenant(this.id, async (tx) => {
          await lockMetrics(tx);
          const { id } = this.metrics[command.metric]!;
          await tx.query('UPDATE usage_metric SET rollup_id = $3 WHERE tenant_id = $1 AND id = $2', [
            tx.tenantId,
            id,
            newUuid(),
          ]);
          await tx.query('SELECT usage_metrics_changed($1)', [tx.tenantId]);
          await buildStep(tx, id, true, command.limit);
        });
      case 'build':
        for (const { id } of this.metrics)
          await usage.service.kit.database.tenant(this.id, async (tx) => {
            await lockMetrics(tx);
            await buildStep(tx, id, false, command.limit);
          });
        return;
      case 'repair':
        await usage.peek('UPDATE due_work SET poll_at = now() WHERE tenant_id = $1', [this.id]);
        return;
      case 'ask':
        for (const period of command.periods) await this.ask(period);
    }
  }

  private async ingest(events: readonly ValueOf<typeof anEvent>[], again: boolean): Promise<void> {
    const items = events.map((event) => ({
      transactionId: `t${++this.sent}`,
      eventName: 'used',
      timestamp: new Date(event.at).toISOString(),
      customerId: this.customers[event.customer],
      properties: {
        v: {
          amount: event.cents === null ? 'none' : event.asText ? (event.cents / 100).toFixed(2) : event.cents / 100,
        },
        kind: event.kind,
        region: event.region,
      },
    }));
    const answer = await this.send('POST', '/api/usage-events', { events: items });
    expect(answer.body).toMatchObject({ ingested: items.length });
    if (again)
      expect(
        (
          await this.send('POST', '/api/usage-events', {
            events: items.map((item) => ({ ...item, timestamp: '2026-03-30T00:00:00Z' })),
          })
        ).body,
      ).toMatchObject({ duplicates: items.length });
    const rows = await usage.peek<{ id: string; transaction_id: string }>(
      'SELECT id, transaction_id FROM usage_event WHERE tenant_id = $1 AND transaction_id = ANY($2)',
      [this.id, items.map((item) => item.transactionId)],
    );
    const ids = new Map(rows.map((row) => [row.transaction_id, row.id]));
    items.forEach((item, i) => {
      const { at, cents, customer, kind, region } = events[i]!;
      const text = String(item.properties.v.amount);
      this.events.push({
        id: ids.get(item.transactionId)!,
        at,
        cents,
        text,
        customerId: this.customers[customer]!,
        kind,
        region,
      });
    });
  }

  async ask({ from, length, granularity, customer, grouped }: ValueOf<typeof aPeriod>): Promise<void> {
    const [begin, end] = [BEGIN + from, BEGIN + from + length];
    const events =
      customer === null ? this.events : this.events.filter((event) => event.customerId === this.customers[customer]);
    for (const metric of this.metrics) {
      const query = [
        `from=${new Date(begin).toISOString()}&to=${new Date(end).toISOString()}`,
        granularity && `&granularity=${granularity}`,
        customer === null ? '' : `&customerId=${this.customers[customer]}`,
        grouped ? '&groupBy=region' : '',
      ].join('');
      const { body } = await this.send('GET', `/api/usage-metrics/${metric.id}/query?${query}`);
      const answer = { metric: metric.type, query, total: body.total };
      expect(answer).toEqual({ ...answer, total: plainValue(metric, events, begin, end) });
      let at = begin;
      for (const part of body.data as { from: string; to: string; value: string; group: { region?: string } }[]) {
        if (!grouped) expect(Date.parse(part.from)).toBe(at);
        at = Date.parse(part.to);
        const region = part.group.region;
        const group = region === undefined ? events : events.filter((event) => event.region === region);
        expect({ ...answer, part }).toEqual({
          ...answer,
          part: { ...part, value: plainValue(metric, group, Date.parse(part.from), at) },
        });
      }
      if (!grouped) expect(at).toBe(end);
    }
  }
}

describe('rollups', () => {
  it('equal the events at any moment: late, repeated and voided events, changed metrics, half-built rollups', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(aCommand, { minLength: 8, maxLength: 18, size: 'max' }),
        aPeriod,
        async (commands, period) => {
          const scene = await new Scene().begin();
          for (const command of commands) await scene.run(command);
          await scene.ask({ ...period, grouped: true });
          await scene.ask({ ...period, from: 0, length: 216 * HOUR, granularity: 'day', grouped: false });
        },
      ),
      {
        numRuns: Number(process.env.ROLLUP_RUNS ?? howMany(4, 200)),
        endOnFailure: !process.env.SHRINK,
        seed: Number(process.env.SEED ?? testSeed),
      },
    );
  }, 120_000);

  it('equal the events while eight send at once, a metric is made and others are changed', async () => {
    const scene = await new Scene().begin();
    const samples = fc.sample(fc.array(anEvent, { minLength: 20, maxLength: 60 }), 32);
    let next = 0;
    const sender = async (): Promise<void> => {
      for (let batch = samples[next++]; batch; batch = samples[next++])
        await scene.run({ do: 'ingest', events: batch, again: false });
    };
    const changer = async (): Promise<void> => {
      for (let i = 0; i < 9; i++) await scene.run({ do: 'change', metric: i, filtered: i % 2 === 1, hours: true });
      await scene.run({ do: 'rebuild', metric: 2, limit: 50 });
      await scene.run({ do: 'rebuild', metric: 8, limit: 50 });
      for (let i = 0; i < 10; i++) await scene.run({ do: 'build', limit: 50 });
    };
    const voider = async (): Promise<void> => {
      for (let i = 0; i < 30; i++) {
        await scene.run({ do: 'void', which: i * 7 });
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    await Promise.all([...Array.from({ length: 8 }, sender), changer(), voider()]);
    for (const customer of [0, 1, null] as const)
      await scene.ask({ from: 0, length: 216 * HOUR, granularity: 'day', customer, grouped: false });
  }, 60_000);

  it('a void of the largest value, and an event between others, are repaired in the background', async () => {
    const scene = await new Scene().begin();
    const event = { at: BEGIN, cents: 100, asText: false, customer: 0, kind: 'a', region: 'eu' } as const;
    await scene.run({ do: 'ingest', again: false, events: [event, { ...event, at: BEGIN + 2 * HOUR, cents: 900 }] });
    await scene.run({ do: 'ingest', again: false, events: [{ ...event, at: BEGIN + HOUR }] });
    await scene.run({ do: 'void', which: 1 });
    const stale = () =>
      usage.peek<{ n: number }>('SELECT count(*)::int AS n FROM usage_rollup WHERE tenant_id = $1 AND stale', [
        scene.id,
      ]);
    await eventually(async () => (await stale())[0]!.n === 0, 'the repair');
    await scene.ask({ from: 0, length: 48 * HOUR, granularity: 'day', customer: 0, grouped: false });
  });

  it('of old definitions are removed, and of many events are built step by step', async () => {
    const scene = await new Scene().begin();
    const [event] = fc.sample(anEvent, 1);
    await scene.run({ do: 'ingest', again: false, events: [{ ...event!, cents: 100, kind: 'a' }] });
    await usage.peek(
      `INSERT INTO usage_event (tenant_id, id, customer_id, occurred_at, created_at, transaction_id, event_name, properties)
       SELECT tenant_id, usage_id_floor(now() - n * interval '1 ms'), customer_id,
         $2::timestamptz + n * interval '1 minute', created_at, 'x' || n, 'used', properties
       FROM usage_event, generate_series(1, 11000) n WHERE tenant_id = $1`,
      [scene.id, new Date(BEGIN)],
    ); // prettier-ignore
    const { id } = scene.metrics[2]!;
    const old = (await usage.peek<{ rollup_id: string }>('SELECT rollup_id FROM usage_metric WHERE id = $1', [id]))[0]!
      .rollup_id;
    await scene.put('sum', false, false, id);
    const ask = async () =>
      (await scene.send('GET', `/api/usage-metrics/${id}/query?from=2026-03-01&to=2026-05-01`)).body.total;
    const metric = async () => (await scene.send('GET', `/api/usage-metrics/${id}`)).body;
    expect((await metric()).rollupStatus).toBe('building');
    expect(await ask()).toBe('11001');
    await eventually(async () => (await metric()).rollupStatus !== 'building', 'the end of building');
    expect(await metric()).toMatchObject({ rollupStatus: 'ready', rollupBuiltFrom: null });
    expect(await ask()).toBe('11001');
    await eventually(
      async () => (await usage.peek('SELECT 1 FROM usage_rollup WHERE rollup_id = $1', [old])).length === 0,
      'the removal of the old rollup',
    );
  }, 30_000);
});
