import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addDays, dayOf, directDebitDay, isTargetDay } from '@kontor/kernel';
import { apiKeyPrincipal, eventually } from '@kontor/testing';
import { OpenIntents } from '../src/intents/open-intents.js';
import { findOrders, SettleOrders } from '../src/sepa/settle-orders.js';
import { type Json, type Tenant, World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const seller = {
  company: 'Müller & Söhne GmbH',
  bankAccount: { accountHolder: null, iban: 'DE02120300000000202051', bic: 'BYLADEM1001' },
  creditorIdentifier: 'DE98ZZZ09999999999',
};
const iban = 'DE89370400440532013000';
const today = dayOf(new Date(), 'Europe/Berlin');

const newTenant = (settings: object = {}): Promise<Tenant> =>
  world.tenant({ settings: { seller, preNotificationDays: 2, ...settings } });
const mandate = async (tenant: Tenant, more: object = {}, customerId?: string): Promise<Json> =>
  tenant.method(customerId ?? (await tenant.customer()), 'sepa_debit', { sepaMandate: { iban, ...more } });
const waiting = (tenant: Tenant, count: number) =>
  eventually(async () => {
    const rows = await tenant.rows<Json>(`SELECT * FROM sepa_order WHERE status = 'waiting' ORDER BY id`);
    return rows.length >= count && rows;
  }, `${count} debits waiting`);

async function download(tenant: Tenant, id: string, format = 'pain.008.001.08'): Promise<string> {
  const response = await fetch(`${world.service.url}/sepa-xml-payments/${id}`, {
    headers: { 'x-kontor-principal': world.service.kit.tokens.sign(tenant.key as never) },
  });
  expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8');
  const xml = await response.text();
  const schema = fileURLToPath(new URL(`xsd/${format}.xsd`, import.meta.url));
  execFileSync('xmllint', ['--noout', '--nonet', '--schema', schema, '-'], {
    input: xml,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return xml;
}
const intentOf = (tenant: Tenant, invoiceId: string) => tenant.intent(invoiceId);
const settle = (tenant: Tenant, ids: string[]) =>
  world.database.tenant(tenant.id, (tx) => world.service.get(SettleOrders).settle(tx, ids));
const returnOrder = (tenant: Tenant, id: string, reasonCode: string) =>
  world.database.tenant(tenant.id, (tx) =>
    world.service.get(SettleOrders).returned(tx, id, { reasonCode, reason: null, feeMinor: 300n }),
  );

describe('a collection by mandate', () => {
  it('waits for its file with the day that the payer was notified of, and is settled by its bank line', async () => {
    const tenant = await newTenant();
    const method = await mandate(tenant);
    const [invoiceId] = await tenant.finalize({ customerId: method.customerId, gross: 11_900, dueInDays: 7 });
    const [order] = await waiting(tenant, 1);
    const dueOn = dayOf(new Date(Date.now() + 7 * 86_400_000), 'Europe/Berlin');
    expect(order.requested_on).toBe(directDebitDay({ dueOn, today, noticeDays: 2 }));
    expect(isTargetDay(order.requested_on)).toBe(true);
    expect(await intentOf(tenant, invoiceId!)).toMatchObject({
      status: 'processing',
      openAmount: { amount: 11_900 },
      collectionDate: order.requested_on,
    });
    const { data: moved } = await tenant.ok('GET', `/payment/transactions?customer=${method.customerId}`);
    expect(moved).toMatchObject([
      { status: 'pending', collectionDate: order.requested_on, endToEndId: order.end_to_end_id },
    ]);

    const answer = await tenant.ok('POST', '/sepa-xml-payments/export');
    expect(answer).toMatchObject({
      skipped: [],
      data: [
        {
          type: 'direct_debit',
          format: 'pain.008.001.08',
          transactionCount: 1,
          controlSum: { amount: 11_900, currencyCode: 'EUR' },
        },
      ],
    });
    const [file] = answer.data;
    const xml = await download(tenant, file.id);
    for (const part of [
      `<MsgId>${file.messageId}</MsgId>`,
      '<SeqTp>FRST</SeqTp>',
      '<IBAN>DE89370400440532013000</IBAN>',
      '<InstdAmt Ccy="EUR">119.00</InstdAmt>',
      '<Ustrd>Rechnung RE-',
      `<EndToEndId>${order.end_to_end_id}</EndToEndId>`,
      `<ReqdColltnDt>${order.requested_on}</ReqdColltnDt>`,
    ])
      expect(xml).toContain(part);
    expect(await download(tenant, file.id)).toBe(xml);
    expect((await tenant.ok('GET', '/sepa-xml-payments')).data).toEqual([file]);
    expect((await tenant.ok('GET', `/payment-methods/${method.id}`)).sepaMandate.sequenceType).toBe('RCUR');
    expect(await intentOf(tenant, invoiceId!)).toMatchObject({ status: 'processing' });

    const found = await world.database.tenant(tenant.id, (tx) =>
      findOrders(tx, { endToEndIds: [order.end_to_end_id.toUpperCase()] }),
    );
    expect(found.map((order) => order.id)).toEqual([order.id]);
    expect(await settle(tenant, [order.id])).toBe(1);
    expect(await settle(tenant, [order.id])).toBe(0);
    expect(await intentOf(tenant, invoiceId!)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await tenant.broken()).toEqual([]);
  });

  it('that came back opens its invoice again, whether it was settled or not; an ended account ends the mandate', async () => {
    const tenant = await newTenant();
    const method = await mandate(tenant);
    const [first, second] = await tenant.finalize(
      { customerId: method.customerId, gross: 5000 },
      { customerId: method.customerId, gross: 7000 },
    );
    await waiting(tenant, 2);
    const { data } = await tenant.ok('POST', '/sepa-xml-payments/export');
    expect(data[0].batches.map((batch: Json) => batch.sequenceType).sort()).toEqual(['FRST', 'RCUR']);
    const orders = await tenant.rows<Json>(
      'SELECT o.id, i.invoice_id FROM sepa_order o JOIN payment_intent i ON i.id = o.intent_id',
    );
    const orderOf = (invoiceId: string | undefined): string => orders.find((row) => row.invoice_id === invoiceId).id;
    await settle(tenant, [orderOf(first)]);
    expect(await returnOrder(tenant, orderOf(first), 'AM04')).toBe(true);
    expect(await returnOrder(tenant, orderOf(first), 'AM04')).toBe(false);
    expect(await intentOf(tenant, first!)).toMatchObject({ openAmount: { amount: 5000 } });
    expect(await returnOrder(tenant, orderOf(second), 'AC04')).toBe(true);
    expect(await intentOf(tenant, second!)).toMatchObject({
      status: 'failed',
      failReason: 'AC04',
      openAmount: { amount: 7000 },
    });
    expect(await tenant.ok('GET', `/payment-methods/${method.id}`)).toMatchObject({ status: 'revoked' });
    expect(await tenant.broken()).toEqual([]);
  });
});

describe('a refund of a debit', () => {
  it('goes back to the same account by a transfer, and is settled by its line; a transfer that comes back is owed again', async () => {
    const tenant = await newTenant();
    const method = await mandate(tenant, { accountHolder: 'Ünal Öztürk', bic: 'COBADEFFXXX' });
    const [invoiceId] = await tenant.finalize({ customerId: method.customerId, gross: 11_900 });
    const [debit] = await waiting(tenant, 1);
    await tenant.ok('POST', '/sepa-xml-payments/export');
    await settle(tenant, [debit.id]);
    const now = new Date();
    const event = tenant.event({ customerId: method.customerId, gross: -5000, type: 'TYPE_REFUND' }, now);
    event.payload.referencedInvoiceId = invoiceId;
    await world.database.tenant(tenant.id, (tx) => world.service.get(OpenIntents).execute(tx, [event] as never), {
      now,
    });
    const [transfer] = await waiting(tenant, 1);
    expect(transfer).toMatchObject({ kind: 'transfer', amount_minor: 5000n, party_name: 'Ünal Öztürk' });
    expect(JSON.stringify(transfer.iban_secret)).not.toContain('DE89');
    const { data } = await tenant.ok('POST', '/sepa-xml-payments/export');
    expect(data).toMatchObject([
      { type: 'credit_transfer', format: 'pain.001.001.09', batches: [{ sequenceType: null, scheme: null }] },
    ]);
    const xml = await download(tenant, data[0].id, 'pain.001.001.09');
    for (const part of [
      '<IBAN>DE89370400440532013000</IBAN>',
      '<Nm>Uenal Oeztuerk</Nm>',
      '<InstdAmt Ccy="EUR">50.00</InstdAmt>',
      '<BICFI>COBADEFFXXX</BICFI>',
    ])
      expect(xml).toContain(part);
    expect(await intentOf(tenant, event.payload.invoiceId)).toMatchObject({ status: 'processing' });
    await settle(tenant, [transfer.id]);
    expect(await intentOf(tenant, event.payload.invoiceId)).toMatchObject({
      status: 'succeeded',
      openAmount: { amount: 0 },
    });
    expect(await returnOrder(tenant, transfer.id, 'AC04')).toBe(true);
    expect(await intentOf(tenant, event.payload.invoiceId)).toMatchObject({
      status: 'failed',
      openAmount: { amount: -5000 },
    });
    expect(await tenant.broken()).toEqual([]);
  });
});

describe('an export', () => {
  it('of two at once puts each debit into exactly one file', async () => {
    const tenant = await newTenant();
    const methods = await Promise.all(Array.from({ length: 6 }, () => mandate(tenant)));
    await tenant.finalize(...methods.map((method, n) => ({ customerId: method.customerId, gross: 1000 + n })));
    await waiting(tenant, 6);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => tenant.call('POST', '/sepa-xml-payments/export')),
    );
    expect(answers.map((answer) => [answer.status, answer.body.reason]).sort()).toEqual([
      [201, undefined],
      ...Array.from({ length: 3 }, () => [422, 'nothing_to_export']),
    ]);
    const files = (await tenant.ok('GET', '/sepa-xml-payments')).data;
    expect(files).toHaveLength(1);
    const xml = await download(tenant, files[0].id);
    expect(new Set([...xml.matchAll(/<EndToEndId>(\w+)</g)].map((m) => m[1])).size).toBe(6);
  });

  it('repeated under its key gives the same answer', async () => {
    const tenant = await newTenant();
    const method = await mandate(tenant);
    await tenant.finalize({ customerId: method.customerId, gross: 1000 });
    await waiting(tenant, 1);
    const ask = () => tenant.call('POST', '/sepa-xml-payments/export', {}, { 'idempotency-key': 'export-1' });
    const first = await ask();
    expect(first.status).toBe(201);
    expect((await ask()).body).toEqual(first.body);
  });

  it('that cannot store its file changes nothing', async () => {
    const tenant = await newTenant();
    const method = await mandate(tenant);
    await tenant.finalize({ customerId: method.customerId, gross: 1000 });
    await waiting(tenant, 1);
    const { blobs } = world.service.kit;
    const put = blobs.put.bind(blobs);
    blobs.put = () => Promise.reject(new Error('disk full'));
    expect((await tenant.call('POST', '/sepa-xml-payments/export')).status).toBe(500);
    blobs.put = put;
    expect((await tenant.ok('GET', `/payment-methods/${method.id}`)).sepaMandate.sequenceType).toBe('FRST');
    expect((await tenant.ok('POST', '/sepa-xml-payments/export')).data[0].batches[0].sequenceType).toBe('FRST');
    expect(await tenant.broken()).toEqual([]);
  });

  it('takes what is due, and nothing that is further away than banks take it', async () => {
    const tenant = await newTenant();
    const method = await mandate(tenant);
    await tenant.finalize(
      { customerId: method.customerId, gross: 1000, dueInDays: 5 },
      { customerId: method.customerId, gross: 2000, dueInDays: 60 },
    );
    await waiting(tenant, 2);
    expect((await tenant.call('POST', '/sepa-xml-payments/export', { until: today })).body.reason).toBe(
      'nothing_to_export',
    );
    const { data } = await tenant.ok('POST', '/sepa-xml-payments/export');
    expect(data[0].controlSum.amount).toBe(1000);
    expect(
      (await tenant.ok('POST', '/sepa-xml-payments/export', { until: addDays(today, 70) })).data[0].controlSum.amount,
    ).toBe(2000);
  });

  it.each([
    [{ seller: { ...seller, creditorIdentifier: null } }, 'seller.creditorIdentifier'],
    [{ seller: { ...seller, bankAccount: { iban: null } } }, 'seller.bankAccount.iban'],
    [{ seller: {} }, 'seller.company'],
  ])('without complete seller data is refused and changes nothing: %j', async (settings, path) => {
    const tenant = await newTenant(settings);
    const method = await mandate(tenant);
    await tenant.finalize({ customerId: method.customerId, gross: 1000 });
    await waiting(tenant, 1);
    const { status, body } = await tenant.call('POST', '/sepa-xml-payments/export');
    expect([status, body.reason]).toEqual([422, 'seller_data_incomplete']);
    expect(body.violations.map((violation: Json) => violation.propertyPath)).toContain(path);
    await tenant.settings({ seller });
    expect((await tenant.call('POST', '/sepa-xml-payments/export')).status).toBe(201);
  });

  it('leaves out what was paid otherwise, collects the rest of it anew, and cancels those of removed mandates', async () => {
    const tenant = await newTenant();
    const [paid, partly, removed] = [await mandate(tenant), await mandate(tenant), await mandate(tenant)];
    const [a, b, c] = await tenant.finalize(
      ...[paid, partly, removed].map((method) => ({ customerId: method.customerId, gross: 5000 })),
    );
    await waiting(tenant, 3);
    const bank = async (customerId: string) =>
      (await tenant.method(customerId, 'bank_transfer', { isDefault: false })).id;
    await tenant.record(a!, await bank(paid.customerId));
    await tenant.record(b!, await bank(partly.customerId), { amount: { amount: 2000, currencyCode: 'EUR' } });
    expect((await tenant.call('DELETE', `/payment-methods/${removed.id}`)).status).toBe(204);
    expect(await intentOf(tenant, c!)).toMatchObject({ status: 'failed', failReason: 'payment_method_removed' });
    const { skipped, data } = await tenant.ok('POST', '/sepa-xml-payments/export');
    expect(skipped.map((item: Json) => item.reason)).toEqual(['already_paid', 'already_paid']);
    expect(data).toMatchObject([{ transactionCount: 1, controlSum: { amount: 3000 } }]);
    expect(await intentOf(tenant, a!)).toMatchObject({ status: 'succeeded' });
    expect((await tenant.call('POST', '/sepa-xml-payments/export')).body.reason).toBe('nothing_to_export');
    expect(await tenant.broken()).toEqual([]);
  });

  it('takes the rest of a debit along that was paid in part, in its place of the sequence, and settles it', async () => {
    const tenant = await newTenant();
    const method = await mandate(tenant);
    const { customerId } = method;
    const [partly] = await tenant.finalize({ customerId, gross: 6000 }, { customerId, gross: 700, dueInDays: 6 });
    await waiting(tenant, 2);
    const bank = await tenant.method(customerId, 'bank_transfer', { isDefault: false });
    await tenant.record(partly!, bank.id, { amount: { amount: 1000, currencyCode: 'EUR' } });
    const { data } = await tenant.ok('POST', '/sepa-xml-payments/export');
    expect(data).toMatchObject([{ transactionCount: 2, controlSum: { amount: 5700 } }]);
    expect(data[0].batches.map((batch: Json) => batch.sequenceType)).toEqual(['FRST', 'RCUR']);
    expect(await download(tenant, data[0].id)).toContain('<InstdAmt Ccy="EUR">50.00</InstdAmt>');
    const orders = await tenant.rows<{ id: string }>(`SELECT id FROM sepa_order WHERE status = 'exported'`);
    expect(await settle(tenant, orders.map(({ id }) => id))).toBe(2); // prettier-ignore
    expect(await intentOf(tenant, partly!)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await tenant.balance(customerId)).toBe(0);
    expect(await tenant.broken()).toEqual([]);
  });

  it('of a mandate for one debit takes the rest along, too', async () => {
    const tenant = await newTenant();
    const method = await mandate(tenant, { sequenceType: 'OOFF' });
    const [invoiceId] = await tenant.finalize({ customerId: method.customerId, gross: 6000 });
    await waiting(tenant, 1);
    const bank = await tenant.method(method.customerId, 'bank_transfer', { isDefault: false });
    await tenant.record(invoiceId!, bank.id, { amount: { amount: 1000, currencyCode: 'EUR' } });
    const { data } = await tenant.ok('POST', '/sepa-xml-payments/export');
    expect(data).toMatchObject([{ controlSum: { amount: 5000 }, batches: [{ sequenceType: 'OOFF' }] }]);
  });

  it('uses a mandate for one debit once, and gives it back when that debit returns', async () => {
    const tenant = await newTenant();
    const method = await mandate(tenant, { sequenceType: 'OOFF' });
    const [first, second] = await tenant.finalize(
      { customerId: method.customerId, gross: 5000 },
      { customerId: method.customerId, gross: 7000 },
    );
    await waiting(tenant, 1);
    await eventually(async () => (await intentOf(tenant, second!)).status === 'failed', 'the refusal of the second');
    expect(await intentOf(tenant, second!)).toMatchObject({ failReason: 'mandate_used_up' });
    expect(await intentOf(tenant, first!)).toMatchObject({ status: 'processing' });
    const { data } = await tenant.ok('POST', '/sepa-xml-payments/export');
    expect(data[0].batches[0].sequenceType).toBe('OOFF');
    expect(await tenant.ok('GET', `/payment-methods/${method.id}`)).toMatchObject({
      status: 'expired',
      sepaMandate: { sequenceType: null },
    });
    const [order] = await tenant.rows<{ id: string }>(`SELECT id FROM sepa_order WHERE status = 'exported'`);
    await returnOrder(tenant, order!.id, 'AM04');
    expect(await tenant.ok('GET', `/payment-methods/${method.id}`)).toMatchObject({
      status: 'active',
      sepaMandate: { sequenceType: 'OOFF' },
    });
  });

  it.each([
    [{ until: 'tomorrow' }, 422, 'until'],
    [{ until: '2026-13-45' }, 422, 'until'],
    [{ type: 'direct_debits' }, 422, 'type'],
    [{ Until: today }, 400, 'Until'],
    [[today], 400, undefined],
  ])('of what nobody can mean is refused: %j', async (body, status, propertyPath) => {
    const tenant = await newTenant();
    const method = await mandate(tenant);
    await tenant.finalize({ customerId: method.customerId, gross: 1000, dueInDays: 60 });
    await waiting(tenant, 1);
    const answer = await tenant.call('POST', '/sepa-xml-payments/export', body);
    expect([answer.status, answer.body.violations?.[0]?.propertyPath]).toEqual([status, propertyPath]);
    expect(await waiting(tenant, 1)).toHaveLength(1);
  });

  it('does not touch money in other currencies', async () => {
    const tenant = await newTenant();
    const method = await mandate(tenant);
    const [invoiceId] = await tenant.finalize({ customerId: method.customerId, gross: 5000, currency: 'CHF' });
    expect(await intentOf(tenant, invoiceId!)).toMatchObject({ status: 'open' });
  });

  it('of debits that wait for a mandate which then ends declines them at once', async () => {
    const tenant = await newTenant();
    const method = await mandate(tenant);
    const [first] = await tenant.finalize({ customerId: method.customerId, gross: 5000 });
    const [order] = await waiting(tenant, 1);
    await tenant.ok('POST', '/sepa-xml-payments/export');
    const [second] = await tenant.finalize({ customerId: method.customerId, gross: 7000 });
    await waiting(tenant, 1);
    await returnOrder(tenant, order.id, 'MD01');
    for (const id of [first, second])
      expect(await intentOf(tenant, id!)).toMatchObject({ status: 'failed', failReason: 'MD01' });
    expect((await tenant.call('POST', '/sepa-xml-payments/export')).body.reason).toBe('nothing_to_export');
  });

  it('needs its permissions', async () => {
    const tenant = await newTenant();
    const as = (...permissions: string[]) => apiKeyPrincipal(tenant.id, { permissions });
    expect((await world.http(as('transaction:read'), 'POST', '/sepa-xml-payments/export', {})).status).toBe(403);
    expect((await world.http(as('invoice:read'), 'GET', '/sepa-xml-payments')).status).toBe(403);
    expect((await world.http(as('transaction:read'), 'GET', '/sepa-xml-payments')).status).toBe(200);
    expect((await tenant.call('GET', '/sepa-xml-payments/x')).status).toBe(404);
    expect((await tenant.call('GET', '/sepa-xml-payments?type=letter')).status).toBe(400);
    expect((await tenant.call('POST', '/sepa-xml-payments/export', { until: 'tomorrow' })).status).toBe(422);
  });
});
