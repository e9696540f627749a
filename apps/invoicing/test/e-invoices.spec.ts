import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exampleAddress } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { eventually } from '@kontor/testing';
import { position, reasonOf, seller, type Tenant, World } from './support/world.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read answers freely
type Json = any;

const LEITWEG_ID = '991-33333TEST-33';
const complete = { ...seller, contact: { ...seller.contact, phone: '+49 30 1234567' } };

describe('e-invoices', () => {
  let world: World;
  let tenant: Tenant;
  let customerId: string;

  beforeAll(async () => {
    world = await World.start();
    tenant = await world.tenant();
    customerId = (await tenant.customer()).id;
  });
  afterAll(async () => {
    await world.expectInvariants();
    await world.stop();
  });

  const finalized = async (body: object = {}): Promise<Json> => {
    const { id } = await tenant.ok('POST', '/invoices', { customer: customerId, positions: [position()], ...body });
    return tenant.ok('POST', `/invoices/${id}/finalize`);
  };
  const xmlOf = async (id: string, query = ''): Promise<string> => {
    const answer = await tenant.send('GET', `/invoices/${id}/xml${query}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/xml']);
    return answer.body;
  };
  const valueOf = (xml: string, element: string): string | undefined =>
    new RegExp(`<(?:\\w+:)?${element}(?: [^>]*)?>([^<]*)<`).exec(xml)?.[1];

  it('every finalized invoice is one, as a file that stays as it is', async () => {
    const invoice = await finalized();
    expect(invoice).toMatchObject({ eInvoiceType: 'zugferd211', leitwegId: null });
    expect(invoice.xmlFile).toMatchObject({
      fileName: `${invoice.number}.xml`,
      fileExtension: 'xml',
      mimeType: 'application/xml',
      storageFileName: `${invoice.xmlFile.id}.xml`,
    });
    const xml = await xmlOf(invoice.id);
    expect([valueOf(xml, 'GrandTotalAmount'), valueOf(xml, 'TypeCode')]).toEqual(['119.00', '380']);
    expect((await tenant.send('GET', `/media/${invoice.xmlFile.id}/download`)).body).toBe(xml);
    expect(await tenant.ok('GET', `/media/${invoice.xmlFile.id}`)).toEqual(invoice.xmlFile);
    const ubl = await xmlOf(invoice.id, '?syntax=ubl');
    expect([valueOf(ubl, 'PayableAmount'), valueOf(ubl, 'InvoiceTypeCode')]).toEqual(['119.00', '380']);
  });

  it('with a Leitweg-ID it is an XRechnung, once the seller can be called', async () => {
    const draft = await tenant.ok('POST', '/invoices', {
      customer: customerId,
      positions: [position()],
      leitwegId: LEITWEG_ID,
    });
    const refused = await tenant.send('POST', `/invoices/${draft.id}/finalize`);
    expect([reasonOf(refused), refused.body.violations]).toEqual([
      '422 e_invoice_invalid',
      [expect.objectContaining({ propertyPath: 'seller.contact.phone', code: 'BR-DE-6' })],
    ]);
    expect((await tenant.ok('GET', `/invoices/${draft.id}`)).status).toBe('STATUS_DRAFT');
    await tenant.settings({ seller: complete });
    const invoice = await tenant.ok('POST', `/invoices/${draft.id}/finalize`);
    expect(invoice).toMatchObject({ eInvoiceType: 'zugferd211', leitwegId: LEITWEG_ID });
    const xml = await xmlOf(invoice.id);
    expect([valueOf(xml, 'BuyerReference'), xml.includes('xrechnung_3.0')]).toEqual([LEITWEG_ID, true]);
  });

  it('of an authority or of whoever has a reference, runs and drafts name what their customer has', async () => {
    await tenant.settings({ seller: complete });
    const [authority, company] = [
      await tenant.customer({ settings: { leitwegId: LEITWEG_ID } }),
      await tenant.customer({ settings: { buyerReference: 'Abteilung 7' } }),
    ];
    await tenant.charge([tenant.batch(authority.id), tenant.batch(company.id)]);
    const billed = async (customer: string): Promise<Json> =>
      (await tenant.ok('GET', `/invoices?customer=${customer}`)).data[0];
    const xrechnung = await billed(authority.id);
    expect(xrechnung).toMatchObject({ leitwegId: LEITWEG_ID, number: expect.any(String) });
    expect(valueOf(await xmlOf(xrechnung.id), 'BuyerReference')).toBe(LEITWEG_ID);
    const states = await world.test.peek<{ payload: string }>(
      `SELECT payload FROM outbox WHERE type = 'invoicing.invoice.changed.v1' AND aggregate_id = $1
       ORDER BY aggregate_seq DESC LIMIT 1`,
      [xrechnung.id],
    );
    // With the mail its recipient gets the XML, too.
    expect(JSON.parse(states[0]?.payload ?? '{}').state.xml).toMatchObject({ mediaId: xrechnung.xmlFile.id });
    const other = await billed(company.id);
    expect(other.leitwegId).toBeNull();
    expect(valueOf(await xmlOf(other.id), 'BuyerReference')).toBe('Abteilung 7');
    const { id } = await tenant.draft(authority.id);
    expect(await tenant.ok('POST', `/invoices/${id}/finalize`)).toMatchObject({ leitwegId: LEITWEG_ID });

    // A run leaves what it cannot issue, and takes what the customer has when it is tried again.
    await tenant.settings({ seller });
    await tenant.charge([tenant.batch(authority.id)]);
    const blocked = (await tenant.ok('GET', `/invoices?customer=${authority.id}&status=STATUS_DRAFT`)).data;
    expect(blocked).toMatchObject([{ status: 'STATUS_DRAFT', leitwegId: null }]);
    await tenant.settings({ seller: complete });
  });

  it('a cancellation and a credit for a mistake correct the invoice, other credits are credit notes', async () => {
    await tenant.settings({ seller: complete });
    const billed = await finalized({ leitwegId: LEITWEG_ID, eInvoiceType: 'factorx' });
    const part = [{ id: billed.positions[0].id, amount: 10 }];
    const credited = async (reason: string): Promise<Json> =>
      tenant.ok('POST', `/invoices/${billed.id}/credit`, { positions: part, reason });
    const documents = [await credited('order_change'), await credited('incorrect')];
    documents.push(await tenant.ok('POST', `/invoices/${billed.id}/cancel`, { reason: 'incorrect' }));
    const shown = await Promise.all(documents.map(({ id }) => xmlOf(id)));
    expect(
      shown.map((xml) => ['TypeCode', 'GrandTotalAmount', 'BuyerReference'].map((element) => valueOf(xml, element))),
    ).toEqual([
      ['381', '11.90', LEITWEG_ID],
      ['384', '-11.90', LEITWEG_ID],
      ['384', '-95.20', LEITWEG_ID],
    ]);
    for (const xml of shown) expect(xml).toContain(`<ram:IssuerAssignedID>${billed.number}<`);
    expect(documents.map((document) => document.eInvoiceType)).toEqual(['factorx', 'factorx', 'factorx']);
  });

  it('states the tax in euro, too, where the document has another currency, and its cancellation the same', async () => {
    const invoice = await finalized({
      currencyCode: 'USD',
      positions: [position({ unitPrice: { amount: 10000, currencyCode: 'USD' } })],
    });
    const taxes = (xml: string): string[] =>
      [...xml.matchAll(/<ram:TaxTotalAmount currencyID="(\w+)">([^<]*)</g)].map((match) => `${match[1]} ${match[2]}`);
    const xml = taxes(await xmlOf(invoice.id));
    expect(xml).toEqual(['USD 19.00', expect.stringMatching(/^EUR 1\d\.\d\d$/)]);
    const [rate] = invoice.applicatedExchangeRates;
    expect(rate).toMatchObject({ sourceCurrencyCode: 'USD', destinationCurrencyCode: 'EUR' });
    const cancelled = await tenant.ok('POST', `/invoices/${invoice.id}/cancel`, {});
    expect(taxes(await xmlOf(cancelled.id))).toEqual(xml.map((text) => text.replace(' ', ' -')));
  });

  it('is none when switched off, of a currency that the norm cannot express, and of refunds', async () => {
    const dinar = { currencyCode: 'KWD', positions: [position({ unitPrice: { amount: 1, currencyCode: 'KWD' } })] };
    expect(await finalized(dinar)).toMatchObject({ eInvoiceType: null, xmlFile: null });
    const draft = await tenant.ok('POST', '/invoices', { customer: customerId, positions: [position()] });
    const typeOfDraft = async () => (await tenant.ok('GET', `/invoices/${draft.id}`)).eInvoiceType;
    expect([draft.eInvoiceType, await typeOfDraft()]).toEqual(['zugferd211', 'zugferd211']);
    await tenant.settings({ eInvoiceEnabled: false });
    const invoice = await finalized();
    expect(invoice).toMatchObject({ eInvoiceType: null, xmlFile: null });
    expect(await typeOfDraft()).toBeNull();
    expect((await tenant.send('GET', `/invoices/${invoice.id}/xml`)).status).toBe(404);
    expect(await finalized({ eInvoiceType: 'factorx' })).toMatchObject({ eInvoiceType: 'factorx' });
    await tenant.settings({ eInvoiceType: 'factorx' });
    expect(await finalized()).toMatchObject({ eInvoiceType: 'factorx' });
    const asked = await tenant.ok('POST', '/invoices', { customer: customerId, eInvoiceType: 'factorx', ...dinar });
    expect(reasonOf(await tenant.send('POST', `/invoices/${asked.id}/finalize`))).toBe('422 e_invoice_invalid');
  });

  it('a run leaves what no receiver would accept as a draft, and finalizes it when its cause is gone', async () => {
    const abroad = { addresses: [{ ...exampleAddress, id: newUuid(), countryCode: 'DE' }], vatId: '123456789' };
    const customer = await tenant.customer(abroad);
    const batch = tenant.batch(customer.id);
    await tenant.charge([batch]);
    const { data } = await tenant.ok('GET', `/invoices?customer=${customer.id}`);
    const [draft] = data as Json[];
    expect(draft.status).toBe('STATUS_DRAFT');
    expect(await tenant.ok('GET', `/invoices/${draft.id}/billing-run`)).toMatchObject({
      invoiceId: draft.id,
      blockedReason: 'e_invoice_invalid',
    });
    const refused = await tenant.send('POST', `/invoices/${draft.id}/finalize`);
    expect(refused.body.violations).toEqual([
      expect.objectContaining({ propertyPath: 'customer.vatId', code: 'BR-CO-09' }),
    ]);
    await tenant.customer({ ...abroad, id: customer.id, vatId: 'DE123456788' });
    // The night's retry lies in the past of the real clock: it is under way all the time.
    const invoice = await eventually(async () => {
      const shown = await tenant.ok('GET', `/invoices/${draft.id}`);
      return shown.status === 'STATUS_UNPAID' && shown;
    }, 'the retry');
    expect([invoice.grossAmount, invoice.eInvoiceType]).toEqual([draft.grossAmount, 'factorx']);
  });

  it('a syntax that does not exist, a foreign invoice and a draft are refused', async () => {
    const invoice = await finalized();
    expect(reasonOf(await tenant.send('GET', `/invoices/${invoice.id}/xml?syntax=edifact`))).toBe(
      '400 invalid_request',
    );
    const other = await world.tenant();
    expect((await other.send('GET', `/invoices/${invoice.id}/xml`)).status).toBe(404);
    const { id } = await tenant.draft(customerId);
    expect((await tenant.send('GET', `/invoices/${id}/xml?syntax=ubl`)).status).toBe(404);
  });
});
