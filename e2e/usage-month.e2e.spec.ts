import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, eventually, type Json } from './support/api.js';
import { aCustomer } from './support/catalogue.js';
import { advance, System } from './support/system.js';

const FOLDER = join(import.meta.dirname, '..', 'examples', 'usage-month');
const example = JSON.parse(readFileSync(join(FOLDER, 'catalogue.json'), 'utf8')) as Json;
interface Call { customer: string; status: number; bytes: number; region: string } // prettier-ignore
interface Level { customer: string; timestamp: string; gigabytes: number } // prettier-ignore
const month = (await import(join(FOLDER, 'generate.mjs'))) as {
  FROM: number;
  TO: number;
  CUSTOMERS: string[];
  calls(): Iterable<Call>;
  storage(): Iterable<Level>;
  callsAsCsv(): Iterable<string>;
  storageAsNdjson(): Iterable<string>;
};

/** A fraction, so that nothing is rounded but once. */
type Fraction = readonly [bigint, bigint];
const times = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d];
const plus = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d + c * b, b * d];
/** Half away from zero; amounts here are positive. */
const cents = ([a, b]: Fraction): number => Number((2n * 100n * a + b) / (2n * b));
const thousandths = (value: number): Fraction => [BigInt(Math.round(value * 1000)), 1000n];

/** Σ level × time ÷ length of the month; `before` held until the first reading. */
function overTime(levels: readonly { at: number; level: Fraction }[], before: Fraction): Fraction {
  let sum: Fraction = [0n, 1n];
  let held = before;
  let since = month.FROM;
  for (const { at, level } of [...levels, { at: month.TO, level: before }]) {
    sum = plus(sum, times(held, [BigInt(at - since), 1n]));
    held = level;
    since = at;
  }
  return times(sum, [1n, BigInt(month.TO - month.FROM)]);
}

/** The lines of a customer's invoice as one would work them out from the rows in a spreadsheet: cents by name. */
function workedOut(customer: string): Record<string, number> {
  const calls = [...month.calls()].filter((call) => call.customer === customer);
  const billable = Math.max(0, calls.filter((call) => call.status < 500).length - 1000);
  const first = Math.min(billable, 2000);
  const bytes = (inAp: boolean): bigint =>
    calls.filter((call) => (call.region === 'ap') === inAp).reduce((sum, call) => sum + BigInt(call.bytes), 0n);
  const levels = [...month.storage()]
    .filter((level) => level.customer === customer)
    .map(({ timestamp, gigabytes }) => ({ at: Date.parse(timestamp), level: thousandths(gigabytes) }));
  const seats = example.seats[customer];
  const seatLevels = seats.readings.map((reading: Json) => ({
    at: Date.parse(reading.measuredAt),
    level: [BigInt(reading.quantity), 1n] as Fraction,
  }));
  return {
    'API calls': cents(plus([BigInt(first), 100n], [4n * BigInt(billable - first), 1000n])),
    'Data sent': cents(plus([8n * bytes(false), 10n ** 11n], [12n * bytes(true), 10n ** 11n])),
    Storage: cents(times(overTime(levels, [0n, 1n]), [12n, 100n])),
    Seats: cents(times(overTime(seatLevels, [BigInt(seats.agreed), 1n]), [12n, 1n])),
  };
}

describe('a month of usage', () => {
  let system: System;
  let api: Api;
  const customers = new Map<string, string>();

  beforeAll(async () => {
    system = await System.shared();
    ({ api } = await system.sandbox({ now: '2026-06-01T06:00:00.000Z' }));
    await sell();
    await advance(api, '2026-06-30T12:00:00.000Z');
  });

  /** Metrics, prices, and a subscription to all of them for each customer from 1 June in Berlin on. */
  async function sell(): Promise<void> {
    const metrics = new Map<string, string>();
    for (const metric of example.metrics)
      metrics.set(metric.code, (await api.ok('POST', '/api/usage-metrics', metric)).id);
    const measurement = await api.ok('POST', '/catalogue/measurements', example.measurement);
    const prices: { name: string; id: string }[] = [];
    for (const { name, metric, price } of example.prices) {
      const product = await api.ok('POST', '/catalogue/products', { name, type: 'product' });
      const meter = metric === null ? { measurement: measurement.id } : { usageMetric: metrics.get(metric) };
      prices.push({
        name,
        id: (
          await api.ok('POST', '/price-plans', {
            product: product.id,
            currencyCode: 'EUR',
            billingInterval: '1M',
            ...meter,
            ...price,
          })
        ).id,
      });
    }
    for (const externalId of month.CUSTOMERS) {
      const { id } = await aCustomer(api, { externalId });
      customers.set(externalId, id);
      const items = prices.map((price) => ({
        pricePlan: price.id,
        ...(price.name === 'Seats' ? { quantity: example.seats[externalId].agreed } : {}),
      }));
      await api.ok('POST', '/subscriptions', {
        customer: id,
        items,
        billingStart: new Date(month.FROM).toISOString(),
        activate: true,
      });
    }
  }

  const upload = (contentType: string, lines: Iterable<string>) =>
    api.send('POST', '/api/usage-events/import', [...lines].join(''), { 'content-type': contentType });

  it('is imported as files, rated and invoiced: every line as worked out by hand', async () => {
    const imported = await upload('text/csv', month.callsAsCsv());
    expect(imported.body).toMatchObject({
      status: 'completed',
      failed: 0,
      duplicates: 0,
      ingested: [...month.calls()].length,
    });
    expect((await upload('application/x-ndjson', month.storageAsNdjson())).body).toMatchObject({
      failed: 0,
      ingested: [...month.storage()].length,
    });
    expect((await upload('text/csv', month.callsAsCsv())).body).toMatchObject({
      ingested: 0,
      duplicates: imported.body.ingested,
    });
    for (const customer of month.CUSTOMERS) {
      const [subscription] = (await api.ok('GET', `/subscriptions?customer=${customers.get(customer)}`)).data;
      const measurements = example.seats[customer].readings.map((reading: Json) => ({
        subscription: subscription.id,
        measurement: 'seats',
        ...reading,
      }));
      expect(await api.ok('POST', '/subscription-measurements/batch', { measurements })).toMatchObject({
        recorded: measurements.length,
        failed: 0,
      });
    }

    await advance(api, '2026-07-01T12:00:00.000Z');
    for (const customer of month.CUSTOMERS) {
      const invoice = await invoiceOf(customer);
      const lines = Object.fromEntries(invoice.positions.map((line: Json) => [line.name, line.netAmount.amount]));
      const expected = workedOut(customer);
      expect(lines).toEqual(expected);
      const net = Object.values(expected).reduce((a, b) => a + b, 0);
      expect([invoice.netAmount.amount, invoice.grossAmount.amount]).toEqual([net, net + Math.round(net * 0.19)]);
    }
  });

  it('its invoices have a page that shows the days', async () => {
    const { usageBreakdownUrl, number } = await invoiceOf('werft');
    const page = await eventually('the page is there', async () => {
      const answer = await fetch(usageBreakdownUrl);
      return answer.status === 200 && answer.text();
    });
    expect(page).toContain(number);
    const calls = [...month.calls()].filter((call) => call.customer === 'werft' && call.status < 500).length;
    expect(page).toContain(`<dd>${new Intl.NumberFormat('de-DE').format(calls)} calls</dd>`);
    const csv = await (await fetch(`${usageBreakdownUrl}/csv?lang=en`)).text();
    const days = csv.split('\r\n').filter((line) => line.startsWith('API calls,'));
    expect(days).toHaveLength(30);
    expect(days.reduce((sum, line) => sum + Number(line.split(',')[7]), 0)).toBe(calls);
  });

  it('what comes in late, and what is voided, is corrected on the next invoice, once', async () => {
    const before = workedOut('werft');
    const event = (transactionId: string) => ({
      transactionId,
      eventName: 'api_call',
      timestamp: '2026-06-15T10:00:00.000Z',
      customerId: 'werft',
      properties: { status: 200, bytes: 5_000_000_000, region: 'eu' },
    });
    expect(await api.ok('POST', '/api/usage-events', { events: ['l1', 'l2', 'l3'].map(event) })).toMatchObject({
      ingested: 3,
    });
    const { data } = await api.ok(
      'GET',
      `/api/usage-events?customerId=werft&from=2026-06-15T10:00:00.000Z&to=2026-06-15T10:00:00.001Z`,
    );
    await api.ok('POST', `/api/usage-events/${data.find((event: Json) => event.transactionId === 'l3').id}/void`);
    await advance(api, '2026-08-01T12:00:00.000Z');
    const invoices = (await api.ok('GET', `/invoices?customer=${customers.get('werft')}&order[number]=asc`)).data;
    expect(invoices).toHaveLength(2);
    const lines = (name: string): number[] =>
      invoices[1].positions
        .filter((line: Json) => line.name === name && line.netAmount.amount !== 0)
        .map((line: Json) => line.netAmount.amount);
    const bytes = [...month.calls()]
      .filter((call) => call.customer === 'werft')
      .reduce<[bigint, bigint]>(
        ([ap, rest], call) =>
          call.region === 'ap' ? [ap + BigInt(call.bytes), rest] : [ap, rest + BigInt(call.bytes)],
        [0n, 0n],
      );
    const after = cents(plus([8n * (bytes[1] + 10_000_000_000n), 10n ** 11n], [12n * bytes[0], 10n ** 11n]));
    expect(lines('Data sent')).toEqual([after - before['Data sent']!]);
    // Two more calls of those that cost a cent.
    expect(lines('API calls')).toEqual([2]);
  });

  async function invoiceOf(customer: string): Promise<Json> {
    const { data } = await api.ok('GET', `/invoices?customer=${customers.get(customer)}&order[number]=asc`);
    expect(data.length).toBeGreaterThan(0);
    return api.ok('GET', `/invoices/${data[0].id}`);
  }
});
