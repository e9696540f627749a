import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUlid } from '@kontor/kernel';
import { removeFiles } from '@kontor/service-kit';
import { eventually, servicePrincipal } from '@kontor/testing';
import type { DocumentSnapshot } from '../src/domain/finalization/document-snapshot.js';
import { SAMPLE_BRAND } from './support/sample-brand.js';
import { eur, position, reasonOf, seller, type Tenant, World } from './support/world.js';

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
    const other = (await world.tenant()).id;
    const several = async (of: string): Promise<unknown> => {
      const ids = `${invoice.file.id},${newUlid()},no-id`;
      const { body } = await world.test.as(servicePrincipal(of, 'notifications'))('GET', `/internal/media?ids=${ids}`);
      return JSON.parse(body.slice(0, body.indexOf('\n')));
    };
    expect(await several(tenant.id)).toEqual([[invoice.file.id, expect.any(Number)]]);
    expect(await several(other)).toEqual([]);
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

  it('a file that the disk has lost is rendered again, as it was', async () => {
    const { blobs } = world.test.service.kit;
    const invoice = await tenant.ok('POST', `/invoices/${(await tenant.draft(customerId)).id}/finalize`);
    const read = (file: string) => tenant.send('GET', `/invoices/${invoice.id}/${file}`);
    const before = [await read('pdf'), await read('xml')];
    const keys = await world.test.peek<{ key: string }>('SELECT blob_key AS key FROM media WHERE invoice_id = $1', [
      invoice.id,
    ]);
    expect(keys).toHaveLength(2);
    for (const { key } of keys) expect(await blobs.remove(key, new Date(Date.now() + 60_000))).toBe(true);
    const after = [await read('pdf'), await read('xml')];
    expect(after.map(({ status }) => status)).toEqual([200, 200]);
    expect(after.map(({ body }) => body)).toEqual(before.map(({ body }) => body));
    expect(await Promise.all(keys.map(({ key }) => blobs.has(key)))).toEqual([true, true]);
  });

  it('files of deleted rows are removed from the disk, but for those that another row has, and those that were stored again', async () => {
    const { blobs, database } = world.test.service.kit;
    const invoice = await tenant.ok('POST', `/invoices/${(await tenant.draft(customerId)).id}/finalize`);
    // Whoever asks first has it rendered.
    expect((await tenant.send('GET', `/invoices/${invoice.id}/pdf`)).status).toBe(200);
    const [shared] = await world.test.peek<{ key: string }>('SELECT blob_key AS key FROM media WHERE id = $1', [
      invoice.file.id,
    ]);
    const [gone, again] = await Promise.all(['gone', 'again'].map((text) => blobs.put(Buffer.from(text))));
    const later = (hours: number): Date => new Date(Date.now() + hours * 3_600_000);
    const noted: [key: string, at: Date][] = [
      [shared!.key, later(0.1)],
      [gone!, later(0.1)],
      // Stored after that, by whoever has no row yet.
      [again!, later(-1)],
    ];
    for (const row of noted) await world.test.peek('INSERT INTO file_to_remove (key, since) VALUES ($1, $2)', row);
    expect(await removeFiles(database, blobs, later(1))).toBe(1);
    expect(await Promise.all(noted.map(([key]) => blobs.has(key)))).toEqual([true, false, true]);
    expect(await world.test.peek('SELECT 1 FROM file_to_remove')).toEqual([]);
  });

  it('previews are removed from the disk when another one has replaced them, and with their draft', async () => {
    const { blobs, database } = world.test.service.kit;
    const { id } = await tenant.draft(customerId);
    const previewed = async (): Promise<string> => {
      const { file } = await tenant.ok('GET', `/invoices/${id}/preview`);
      const [row] = await world.test.peek<{ key: string }>('SELECT blob_key AS key FROM media WHERE id = $1', [
        file.id,
      ]);
      return row!.key;
    };
    const stay = async (...keys: string[]): Promise<boolean[]> => {
      await removeFiles(database, blobs, new Date(Date.now() + 3_600_000));
      return Promise.all(keys.map((key) => blobs.has(key)));
    };
    const first = await previewed();
    expect(await previewed()).toBe(first);
    expect(await stay(first)).toEqual([true]);
    await tenant.ok('POST', `/invoices/${id}/positions`, position());
    const second = await previewed();
    expect(await stay(first, second)).toEqual([false, true]);
    expect((await tenant.send('DELETE', `/invoices/${id}`)).status).toBe(204);
    expect(await stay(second)).toEqual([false]);
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

  it('rates that are replaced by several at once are those of one of them', async () => {
    const fresh = await world.tenant();
    const written = ['USD', 'CHF', 'GBP', 'JPY'].map((currencyCode) => [
      { date: '2026-03-01', currencyCode, rate: '2' },
      { date: '2026-03-01', currencyCode: 'SEK', rate: '11' },
    ]);
    for (const round of [written, written]) {
      const sent = round.map((rates) => fresh.send('PUT', '/exchange-rates', { rates }));
      expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect((await fresh.ok('GET', '/exchange-rates')).rates).toHaveLength(2);
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

  it('shows the logo and the colour of its day, whatever the settings say later', async () => {
    await tenant.settings({ checkout: SAMPLE_BRAND, seller: { ...seller, registration: 'HRB 1\nGF: Ö. Ärmel' } });
    const { id } = await tenant.draft(customerId);
    await tenant.ok('POST', `/invoices/${id}/finalize`);
    await tenant.settings({});
    const later = await tenant.draft(customerId);
    await tenant.ok('POST', `/invoices/${later.id}/finalize`);
    const shown = async (of: string) => (await tenant.send('GET', `/invoices/${of}/pdf`)).body.includes('/Logo ');
    expect([await shown(id), await shown(later.id)]).toEqual([true, false]);
    const [row] = await world.test.peek<{ snapshot: DocumentSnapshot; data: string }>(
      `SELECT s.snapshot, l.data FROM document_snapshot s
       JOIN document_logo l ON l.sha256 = s.snapshot -> 'brand' ->> 'logo' WHERE s.invoice_id = $1`,
      [id],
    );
    expect(row?.data).toBe(SAMPLE_BRAND.logo);
    expect(row?.snapshot.brand?.accentColor).toBe('#0a7d5c');
    expect(row?.snapshot.seller.registrationLines).toEqual(['HRB 1', 'GF: Ö. Ärmel']);
  });
});
