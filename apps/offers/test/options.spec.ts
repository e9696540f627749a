import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newUlid, newUuid, ulidToUuid } from '@kontor/kernel';
import { removeFiles } from '@kontor/service-kit';
import { eventually, servicePrincipal, whileAnswersGetLost } from '@kontor/testing';
import {
  anybody,
  billing,
  billingIsWell,
  END,
  eur,
  offers,
  published,
  QUOTE,
  run,
  settled,
  signature,
  startSelling,
  stopSelling,
  tenant,
  type Tenant,
} from './support/selling.js';

beforeAll(startSelling);
afterAll(stopSelling);
beforeEach(billingIsWell);

/** The customer is anonymized: this service's part of it. That it waits for others with the events does not matter here. */
async function forget({ id, customerId }: Tenant): Promise<void> {
  await offers.as(servicePrincipal(id, 'billing'))('POST', `/internal/customers/${customerId}/erasure`, { version: 1 });
}

describe('an offer with options', () => {
  const seats = { id: 'seats', pricePlan: newUuid(), quantity: '3', minQuantity: '2', maxQuantity: '10' };
  const support = { id: 'support', pricePlan: newUuid(), optional: true };
  const sections = [{ type: 'items', title: 'Leistung', items: [seats, support] }];
  const chosen = [
    { item: 'support', selected: true },
    { item: 'seats', quantity: '5' },
  ];
  const withItems = (seller: Tenant) =>
    published(seller, { subscription: null, sections }, [{ email: 'a@x.example' }, { email: 'b@x.example' }]);
  beforeEach(() => {
    const prices = [{ pricePlan: support.pricePlan, name: 'Support', unitPrice: eur(900), billingInterval: '1M' }];
    const made = newUuid();
    billing.answers = ({ path }) => {
      if (path.endsWith('/offer')) return { subscriptionId: made, quote: QUOTE, prices };
      if (path.endsWith('/quotes')) return { ...QUOTE, totals: { ...QUOTE.totals, gross: eur(9999) } };
      return { customerId: '', subscriptionId: made, invoiceId: null };
    };
  });

  it('is accepted at what it costs on that day; while billing is away, at what it showed', async () => {
    const seller = await tenant();
    const { id, tokens } = await withItems(seller);
    const path = `/public/offers/${tokens[0]}`;
    const accept = async (versionHash?: string) => {
      const { status, body } = await anybody()('POST', `${path}/accept`, { versionHash });
      return [status, body.reason ?? body.status];
    };
    const read = (await anybody()('GET', path)).body;
    expect(read.totals.gross).toEqual(eur(3570));
    // Without a hash, too: nobody agrees to what nobody was shown.
    expect(await accept()).toEqual([409, 'offer_changed']);
    const seen = (await anybody()('GET', path)).body;
    expect(seen).toMatchObject({ totals: { gross: eur(9999) }, items: [{ quantity: '3' }, { selected: false }] });
    expect(await accept(read.versionHash)).toEqual([409, 'offer_changed']);
    expect(await accept(seen.versionHash)).toEqual([201, 'signed']);
    expect(await accept()).toEqual([201, 'signed']);
    const { data } = (await seller.send('GET', `/offers/${id}/audit-log`)).body;
    expect(data.map(({ action }: { action: string }) => action)).toEqual(['price_updated', 'accepted']);

    const other = await withItems(seller);
    billing.isAway = true;
    const away = await anybody()('POST', `/public/offers/${other.tokens[0]}/accept`, {});
    expect([away.status, away.body.totals.gross]).toEqual([201, eur(3570)]);
  });

  it('is accepted as it was chosen, by who has read that', async () => {
    const seller = await tenant();
    const { id, tokens } = await withItems(seller);
    const seen = (await anybody()('GET', `/public/offers/${tokens[0]}`)).body;
    expect(seen.items).toMatchObject([
      { id: 'seats', quantity: '3', selected: true, optional: false },
      { id: 'support', name: 'Support', quantity: '1', selected: false, unitPrice: eur(900), billingInterval: '1M' },
    ]);
    const choice = await anybody()('POST', `/public/offers/${tokens[0]}/choice`, {
      versionHash: seen.versionHash,
      items: chosen,
    });
    expect(choice.status).toBe(201);
    expect(choice.body).toMatchObject({ totals: { gross: eur(9999) }, items: [{ quantity: '5' }, { selected: true }] });
    expect(choice.body.versionHash).not.toBe(seen.versionHash);
    for (const versionHash of [seen.versionHash, 'another']) {
      const stale = await anybody()('POST', `/public/offers/${tokens[1]}/accept`, { versionHash });
      expect([stale.status, stale.body.reason]).toEqual([409, 'offer_changed']);
    }
    const body = { versionHash: choice.body.versionHash };
    expect((await anybody()('POST', `/public/offers/${tokens[1]}/accept`, body)).body.status).toBe('signed');
    await settled(seller, id);
    expect(billing.of(`${ulidToUuid(id)}/acceptance`)[0]?.body).toMatchObject({
      terms: {
        dealType: 'new_business',
        subscriptionId: null,
        items: [
          { pricePlan: seats.pricePlan, quantity: '5' },
          { pricePlan: support.pricePlan, quantity: '1' },
        ],
      },
    });
    const log = (await seller.send('GET', `/offers/${id}/audit-log`)).body.data;
    expect(log.map(({ action, versionHash }: Record<string, string>) => [action, versionHash])).toEqual([
      ['options_chosen', choice.body.versionHash],
      ['accepted', choice.body.versionHash],
    ]);
    const late = await anybody()('POST', `/public/offers/${tokens[0]}/choice`, { items: chosen });
    expect([late.status, late.body.reason]).toEqual([422, 'invalid_status_transition']);
  });

  it.each([
    ['an item that it has not', [{ item: 'gold', selected: true }], 'unknown_reference', undefined],
    ['leaving out what is not optional', [{ item: 'seats', selected: false }], 'validation_failed', 'not_optional'],
    ['more than there may be', [{ item: 'seats', quantity: '11' }], 'validation_failed', 'out_of_bounds'],
    ['less than there may be', [{ item: 'seats', quantity: '1.999999999' }], 'validation_failed', 'out_of_bounds'],
    [
      'another quantity of what is fixed',
      [{ item: 'support', quantity: '2' }],
      'validation_failed',
      'quantity_not_editable',
    ],
  ])('refuses %s', async (_name, items, reason, code) => {
    const seller = await tenant();
    const { id, tokens } = await withItems(seller);
    const answer = await anybody()('POST', `/public/offers/${tokens[0]}/choice`, { items });
    expect([answer.status, answer.body.reason]).toEqual([422, reason]);
    if (code) expect(answer.body.violations[0].code).toBe(code);
    expect((await seller.send('GET', `/offers/${id}`)).body.items).toMatchObject([
      { quantity: '3' },
      { selected: false },
    ]);
  });

  it('stays as it was while billing is away, and forgets the choice when it is published again', async () => {
    const seller = await tenant();
    const { id, tokens } = await withItems(seller);
    billing.isAway = true;
    const away = await anybody()('POST', `/public/offers/${tokens[0]}/choice`, { items: chosen });
    expect([away.status, away.body.reason]).toEqual([503, 'service_unavailable']);
    billing.isAway = false;
    expect((await anybody()('POST', `/public/offers/${tokens[0]}/choice`, { items: chosen })).status).toBe(201);
    const again = { customer: seller.customerId, name: 'Neu', validUntil: END, sections };
    expect((await seller.send('PUT', `/offers/${id}`, again)).status).toBe(200);
    expect((await seller.send('POST', `/offers/${id}/publish`)).status).toBe(201);
    const seen = (await anybody()('GET', `/public/offers/${tokens[0]}`)).body;
    expect(seen).toMatchObject({ totals: QUOTE.totals, items: [{ quantity: '3' }, { selected: false }] });
  });

  it('that is archived releases what billing held, however often billing was away', async () => {
    const seller = await tenant();
    const { id } = await withItems(seller);
    billing.isAway = true;
    expect((await seller.send('POST', `/offers/${id}/archive`)).status).toBe(201);
    await run(seller.id);
    billing.isAway = false;
    await eventually(async () => {
      await run(seller.id);
      return billing.of(`${ulidToUuid(id)}/withdrawal`).length > 0;
    });
  });

  it('that is archived while it is published releases what billing has held since', async () => {
    const seller = await tenant();
    const made = await seller.send('POST', '/offers', { customer: seller.customerId, sections });
    const { id } = made.body;
    // Archived, and released, before billing holds anything.
    billing.pause = async ({ path }, moment) => {
      if (!path.endsWith('/offer') || moment !== 'before') return;
      expect((await seller.send('POST', `/offers/${id}/archive`)).status).toBe(201);
      await run(seller.id);
    };
    const answer = await seller.send('POST', `/offers/${id}/publish`);
    billing.pause = () => undefined;
    expect([answer.status, answer.body.reason]).toEqual([422, 'invalid_status_transition']);
    await run(seller.id);
    const asked = billing.of(ulidToUuid(id)).map(({ path }) => path.split('/').at(-1));
    expect(asked).toEqual(['withdrawal', 'offer', 'withdrawal']);
  });

  it('of a customer who is anonymized releases what billing held', async () => {
    const seller = await tenant();
    const { id } = await withItems(seller);
    await forget(seller);
    expect((await seller.send('GET', `/offers/${id}`)).status).toBe(404);
    await run(seller.id);
    expect(billing.of(`${ulidToUuid(id)}/withdrawal`)).toHaveLength(1);
  });

  it('that was accepted and cannot be sold does so, too, and says why', async () => {
    const seller = await tenant();
    const { id } = await withItems(seller);
    billing.refusal = { status: 422, reason: 'customer_archived' };
    expect((await seller.send('POST', `/offers/${id}/accept`)).status).toBe(201);
    await settled(seller, id, 'failed');
    billing.refusal = null;
    expect(billing.of(`${ulidToUuid(id)}/withdrawal`)).toEqual([]);
    for (const _ of [1, 2]) {
      await forget(seller);
      await run(seller.id);
    }
    expect((await seller.send('GET', `/offers/${id}`)).body.sale).toMatchObject({ failure: 'customer_anonymized' });
    expect(billing.of(`${ulidToUuid(id)}/withdrawal`)).toHaveLength(1);
  });

  it('that is deleted while it is published releases what billing has held since', async () => {
    const seller = await tenant();
    const { id } = (await seller.send('POST', '/offers', { customer: seller.customerId, sections })).body;
    billing.pause = async ({ path }, moment) => {
      if (!path.endsWith('/offer') || moment !== 'before') return;
      await forget(seller);
      await run(seller.id);
    };
    const answer = await seller.send('POST', `/offers/${id}/publish`);
    billing.pause = () => undefined;
    expect([answer.status, answer.body.reason]).toEqual([404, 'not_found']);
    await run(seller.id);
    const asked = billing.of(ulidToUuid(id)).map(({ path }) => path.split('/').at(-1));
    expect(asked).toEqual(['withdrawal', 'offer', 'withdrawal']);
  });

  it('that was never published releases what a publication had billing hold', async () => {
    const seller = await tenant();
    const { id } = (await seller.send('POST', '/offers', { customer: seller.customerId, sections })).body;
    expect((await seller.send('POST', `/offers/${id}/archive`)).status).toBe(201);
    await run(seller.id);
    expect(billing.of(`${ulidToUuid(id)}/withdrawal`)).toHaveLength(1);
  });

  it.each([
    ['two items of one name', {}, [seats, { ...support, id: 'seats' }], 'duplicate_item'],
    ['a quantity out of its bounds', {}, [{ ...seats, quantity: '11' }], 'out_of_bounds'],
    ['an expansion of nothing', { dealType: 'expansion', subscription: null }, [seats], 'required'],
    ['an item of a subscription in new business', {}, [{ ...seats, subscriptionItem: newUuid() }], 'item_not_allowed'],
  ])('cannot be written with %s', async (_name, more, items, code) => {
    const seller = await tenant();
    const body = { customer: seller.customerId, sections: [{ type: 'items', items }], ...more };
    const answer = await seller.send('POST', '/offers', body);
    expect([answer.status, answer.body.violations?.[0]?.code]).toEqual([422, code]);
  });
});

describe('what an offer names of the catalogue', () => {
  const [price, plan] = [newUuid(), newUuid()];
  const items = { type: 'items', items: [{ pricePlan: newUuid() }, { pricePlan: price.toUpperCase() }] };
  const subscription = { type: 'subscription', plan };
  const write = (seller: Tenant, sections: object[], path?: string) =>
    seller.send(path ? 'PUT' : 'POST', path ?? '/offers', { customer: seller.customerId, sections });

  it.each([
    ['a price plan', price, 'sections[1].items[1].pricePlan'],
    ['a plan', plan, 'sections[2].plan'],
  ])('must be there for its customer: %s', async (_what, missing, propertyPath) => {
    const seller = await tenant();
    const sections = [{ type: 'text' }, items, subscription];
    const { status, body } = await write(seller, sections);
    expect(status).toBe(201);
    billing.missing.add(missing);
    for (const path of [undefined, `/offers/${body.id}`]) {
      const refused = await write(seller, sections, path);
      expect([refused.status, refused.body.reason]).toEqual([422, 'unknown_reference']);
      expect(refused.body.violations[0].propertyPath).toBe(propertyPath);
    }
    expect(billing.of('/on-sale').at(-1)?.body['customerId']).toBe(seller.customerId);
    billing.isAway = true;
    expect((await write(seller, sections)).status).toBe(201);
    billing.missing.delete(missing);
  });
});

describe('documents of an offer', () => {
  const pdfOf = (seller: Tenant, id: string, kind: string) => seller.send('GET', `/offers/${id}/documents/${kind}`);
  const words = (answer: { body: unknown }): string => String(answer.body);

  it('are written once, of what was published, and stay when it is edited', async () => {
    const seller = await tenant();
    const { id, tokens } = await published(seller, { name: 'Eins' });
    const first = await pdfOf(seller, id, 'offer');
    expect([first.status, words(first)]).toEqual([200, expect.stringContaining('Eins')]);
    await seller.send('PUT', `/offers/${id}`, { customer: seller.customerId, name: 'Zwei', validUntil: END });
    expect(words(await pdfOf(seller, id, 'offer'))).toBe(words(first));
    expect(words(await anybody()('GET', `/public/offers/${tokens[0]}/document`))).toBe(words(first));
    expect((await seller.send('POST', `/offers/${id}/publish`)).status).toBe(201);
    expect(words(await pdfOf(seller, id, 'offer'))).toContain('Zwei');
    for (const kind of ['signed', 'audit-log', 'purchase-order', 'gold'])
      expect((await pdfOf(seller, id, kind)).status).toBe(404);
  });

  it('say who has signed, when, from where and what', async () => {
    const seller = await tenant();
    const { id, tokens, offer } = await published(seller, { acceptanceMode: 'esignature' });
    expect((await anybody()('POST', `/public/offers/${tokens[0]}/sign`, signature())).status).toBe(201);
    await settled(seller, id);
    const shown = await eventually(async () => {
      await run(seller.id);
      const { body } = await seller.send('GET', `/offers/${id}`);
      return body.signedDocument && body.auditLogDocument ? body : undefined;
    });
    expect(shown.signedDocument).toMatchObject({ mimeType: 'application/pdf', fileName: `${offer.number}-signed.pdf` });
    for (const kind of ['signed', 'audit-log']) {
      const text = words(await pdfOf(seller, id, kind));
      for (const word of [
        'Jule Brandt',
        'jule@backhaus.example',
        '2026-03-02T09:00:00.000Z',
        offer.publishedVersionHash,
      ])
        expect(text).toContain(word);
    }
    expect(words(await anybody()('GET', `/public/offers/${tokens[0]}/document`))).toContain('Unterschrieben von');
    await expect(offers.peek('UPDATE offer_document SET sha256 = $1', ['0'])).rejects.toThrow(/stays as it is/);
  });

  it('that were signed by hand are brought by staff, and accept the offer', async () => {
    const seller = await tenant();
    const { id } = await published(seller, { acceptanceMode: 'print' });
    const send = (path: string, bytes: string, key = {}) =>
      seller.send('POST', path, Buffer.from(bytes), { 'content-type': 'application/pdf', ...key });
    const wrong = await send(`/offers/${id}/signed-document`, 'no pdf');
    expect([wrong.status, wrong.body.reason]).toEqual([422, 'invalid_pdf']);
    const brought = await send(`/offers/${id}/signed-document`, '%PDF-1.4 by hand %%EOF');
    expect([brought.status, brought.body.status]).toEqual([201, 'signed']);
    expect(brought.body.signedDocument).toMatchObject({ fileName: expect.stringContaining('signed') });
    const again = await send(`/offers/${id}/signed-document`, '%PDF-1.4 another %%EOF');
    expect([again.status, again.body.reason]).toEqual([422, 'invalid_status_transition']);
    const order = '%PDF-1.4 order %%EOF';
    for (const _ of [1, 2]) expect((await send(`/offers/${id}/purchase-order`, order)).status).toBe(201);
    // After a crash before the file was stored, the key is taken and nothing is done: a repeat does it.
    const key = { 'idempotency-key': newUlid() };
    const repeat = () => send(`/offers/${id}/purchase-order`, order, key);
    const [first, repeated] = await whileAnswersGetLost(offers.peek, async () => [await repeat(), await repeat()]);
    expect([repeated?.status, repeated?.body]).toEqual([201, first?.body]);
    const other = await send(`/offers/${id}/purchase-order`, '%PDF-1.4 other %%EOF');
    expect([other.status, other.body.reason]).toEqual([422, 'already_exists']);
    const unknown = await seller.send(
      'POST',
      `/offers/${newUlid()}/signed-document`,
      Buffer.from('%PDF-1.4 no offer %%EOF'),
      {
        'content-type': 'application/pdf',
      },
    );
    expect(unknown.status).toBe(404);
    await settled(seller, id);
    await run(seller.id);
    expect(words(await pdfOf(seller, id, 'signed'))).toContain('by hand');
    expect(words(await pdfOf(seller, id, 'purchase-order'))).toContain('order');
    // What was refused does not stay.
    const { blobs, database } = offers.service.kit;
    await removeFiles(database, blobs, new Date(Date.now() + 3_600_000));
    const stays = (name: string) => blobs.has(createHash('sha256').update(`%PDF-1.4 ${name} %%EOF`).digest('hex'));
    expect(await Promise.all(['by hand', 'order', 'another', 'other', 'no offer'].map(stays))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
