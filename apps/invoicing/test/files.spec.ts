import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUlid } from '@kontor/kernel';
import { eventually, servicePrincipal } from '@kontor/testing';
import { eur, position, reasonOf, type Tenant, World } from './support/world.js';

describe('files', () => {
  let world: World;
  let tenant: Tenant;
  let customerId: string;

  beforeAll(async () => {
    world = await World.start();
    tenant = await world.tenant();
    customerId = (await tenant.customer()).id;
  });
  afterAll(() => world.stop());

  it('a finalized document has its file at once, and media.ready once it is rendered', async () => {
    const { id } = await tenant.draft(customerId);
    const invoice = await tenant.ok('POST', `/invoices/${id}/finalize`);
    const pdf = await tenant.send('GET', `/invoices/${id}/pdf`);
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    expect(pdf.headers.get('content-disposition')).toContain(`${invoice.number}.pdf`);
    expect(pdf.body.slice(0, 5)).toBe('%PDF-');
    expect(await tenant.ok('GET', `/media/${invoice.file.id}`)).toEqual(invoice.file);
    expect((await tenant.send('GET', `/media/${invoice.file.id}/download`)).body).toBe(pdf.body);
    const internal = world.test.as(servicePrincipal(tenant.id, 'notifications'));
    expect((await internal('GET', `/internal/media/${invoice.file.id}`)).body).toBe(pdf.body);
    // The worker comes later and finds it there: one file, one event.
    await eventually(
      async () =>
        (await world.test.peek(`SELECT 1 FROM due_work WHERE kind = 'invoicing.render' AND ref = $1`, [id])).length ===
        0,
      'the render worker',
    );
    const events = await world.test.peek<{ payload: string }>(
      `SELECT payload FROM outbox WHERE type = 'invoicing.media.ready.v1' AND aggregate_id = $1`,
      [invoice.file.id],
    );
    expect(events.map((event) => JSON.parse(event.payload) as unknown)).toEqual([
      {
        mediaId: invoice.file.id,
        invoiceId: id,
        customerId,
        fileName: `${invoice.number}.pdf`,
        mimeType: 'application/pdf',
      },
    ]);
  });

  it('files of a run are rendered by the worker', async () => {
    const batch = tenant.batch(customerId);
    await tenant.charge([batch]);
    const ready = await eventually(async () => {
      const rows = await world.test.peek<{ size: number }>(
        `SELECT m.size_bytes AS size FROM media m JOIN charge_batch b ON b.invoice_id = m.invoice_id
         WHERE b.batch_id = $1 AND m.blob_key IS NOT NULL`,
        [batch.batchId],
      );
      return rows[0];
    }, 'the file');
    expect(ready.size).toBeGreaterThan(1000);
  });

  it('the preview of a draft shows the file that it would have, and changes nothing', async () => {
    const { id } = await tenant.draft(customerId, position({ quantity: '2', group: 'Leistungen' }));
    const preview = await tenant.ok('GET', `/invoices/${id}/preview`);
    expect(preview).toMatchObject({
      id,
      status: 'STATUS_DRAFT',
      number: null,
      grossAmount: eur(23800),
      file: { fileName: 'preview.pdf' },
    });
    expect((await tenant.send('GET', `/media/${preview.file.id}/download`)).body.slice(0, 5)).toBe('%PDF-');
    const pdf = await tenant.send('GET', `/invoices/${id}/preview`, undefined, { accept: 'application/pdf' });
    expect([pdf.status, pdf.headers.get('content-type'), pdf.body.slice(0, 5)]).toEqual([
      200,
      'application/pdf',
      '%PDF-',
    ]);
    expect((await tenant.ok('GET', `/invoices/${id}/preview`)).file.id).toBe(preview.file.id);
    expect(await tenant.ok('GET', `/invoices/${id}`)).toMatchObject({ file: null, status: 'STATUS_DRAFT' });
    expect(reasonOf(await tenant.send('GET', `/invoices/${id}/pdf`))).toBe('404 not_found');
    const invoice = await tenant.ok('POST', `/invoices/${id}/finalize`);
    expect((await tenant.ok('GET', `/invoices/${id}/preview`)).file).toEqual(invoice.file);
  });

  it('a draft without address, seller or positions has a preview too', async () => {
    const bare = await world.tenant({
      settings: { seller: { company: null, address: {}, taxNumber: null, vatId: null, bankAccount: null } },
    });
    const homeless = (await bare.customer({ addresses: [] })).id;
    const { id } = await bare.ok('POST', '/invoices', { customer: homeless });
    expect(await bare.ok('GET', `/invoices/${id}/preview`)).toMatchObject({
      invoiceAddress: null,
      grossAmount: eur(0),
    });
  });

  it('belong to their tenant; unknown ones are not found', async () => {
    const { id } = await tenant.draft(customerId);
    const { file } = await tenant.ok('POST', `/invoices/${id}/finalize`);
    const other = await world.tenant();
    for (const path of [
      `/media/${file.id}`,
      `/media/${file.id}/download`,
      `/invoices/${id}/pdf`,
      `/media/${newUlid()}`,
      '/media/nonsense',
    ]) {
      expect(reasonOf(await other.send('GET', path))).toBe('404 not_found');
    }
  });

  it('rates: a sandbox starts with examples; PUT replaces; what is wrong is refused', async () => {
    const fresh = await world.tenant();
    expect((await fresh.ok('GET', '/exchange-rates')).rates.length).toBeGreaterThan(20);
    const rates = [{ date: '2026-03-01', currencyCode: 'USD', rate: '1.0812' }];
    expect(await fresh.ok('PUT', '/exchange-rates', { rates })).toEqual({ rates });
    expect(await fresh.ok('PUT', '/exchange-rates', { rates: [] })).toEqual({ rates: [] });
    expect(await fresh.ok('GET', '/exchange-rates')).toEqual({ rates: [] });
    for (const [bad, expected] of [
      [{ rates: [{ date: '2026-02-30', currencyCode: 'USD', rate: '1' }] }, '422 validation_failed'],
      [{ rates: [{ date: '2026-02-01', currencyCode: 'EUR', rate: '1' }] }, '422 validation_failed'],
      [{ rates: [{ date: '2026-02-01', currencyCode: 'USD', rate: '0' }] }, '422 validation_failed'],
      [{ rates: [{ date: '2026-02-01', currencyCode: 'USD', rate: 1.1 }] }, '400 invalid_request'],
      [{ rates: [...rates, ...rates] }, '422 validation_failed'],
      [{}, '400 invalid_request'],
    ] as const) {
      expect(reasonOf(await fresh.send('PUT', '/exchange-rates', bad))).toBe(expected);
    }
  });

  it('a live tenant takes no rate older than seven days', async () => {
    const live = await world.tenant({ mode: 'live' });
    const customer = (await live.customer()).id;
    const dollars = position({ unitPrice: { amount: 10812, currencyCode: 'USD' } });
    const rate = (date: string) =>
      live.ok('PUT', '/exchange-rates', { rates: [{ date, currencyCode: 'USD', rate: '1.0812' }] });
    await rate('2026-02-22');
    expect(reasonOf(await live.send('POST', '/invoices', { customer, positions: [dollars] }))).toBe(
      '422 exchange_rate_missing',
    );
    await rate('2026-03-02');
    expect(reasonOf(await live.send('POST', '/invoices', { customer, positions: [dollars] }))).toBe(
      '422 exchange_rate_missing',
    );
    await rate('2026-02-23');
    expect(await live.ok('POST', '/invoices', { customer, positions: [dollars] })).toMatchObject({
      netAmount: eur(10000),
      applicatedExchangeRates: [{ exchangeRate: '0.9248982612' }],
    });
  });
});
