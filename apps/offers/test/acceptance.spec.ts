import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ulidToUuid } from '@kontor/kernel';
import {
  anybody,
  billing,
  billingIsWell,
  END,
  eur,
  notices,
  offers,
  published,
  QUOTE,
  run,
  settled,
  signature,
  startSelling,
  stopSelling,
  tenant,
  tokenOf,
} from './support/selling.js';

beforeAll(startSelling);
afterAll(stopSelling);
beforeEach(billingIsWell);

describe('an offer that is accepted', () => {
  it('is shown to its recipient as it was published, with its price', async () => {
    const seller = await tenant();
    const { id, tokens, offer } = await published(seller, { name: 'Eins' });
    await seller.send('PUT', `/offers/${id}`, { customer: seller.customerId, name: 'Zwei', validUntil: END });
    const shown = await anybody()('GET', `/public/offers/${tokens[0]}`);
    expect([shown.status, shown.body.name, shown.body.versionHash]).toEqual([200, 'Eins', offer.publishedVersionHash]);
    expect(shown.body).toMatchObject({ seller: 'Nordlicht', totals: QUOTE.totals, recurring: QUOTE.recurring });
    expect(shown.body.recipient).toMatchObject({ email: 'jule@backhaus.example', role: 'sign', signed: false });
    expect((await anybody()('GET', `/public/offers/${'A'.repeat(43)}`)).status).toBe(404);
    expect((await anybody()('GET', '/public/offers/short')).status).toBe(404);
  });

  it('by a click is signed once, and begins its subscription once', async () => {
    const seller = await tenant();
    const { id, tokens, offer } = await published(seller, {}, [{ email: 'a@x.example' }, { email: 'b@x.example' }]);
    const body = { versionHash: offer.publishedVersionHash };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => anybody()('POST', `/public/offers/${tokens[n % 2]}/accept`, body)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    await settled(seller, id);
    expect(await notices(id)).toEqual(['offer.published', 'offer.signed']);
    expect(billing.of(`${ulidToUuid(id)}/acceptance`).map(({ body }) => body)).toMatchObject([
      {
        terms: { dealType: 'new_business', customerId: seller.customerId, subscriptionId: seller.subscriptionId },
        activate: true,
        invoiceDetails: null,
      },
    ]);
    const log = await seller.send('GET', `/offers/${id}/audit-log`);
    expect(log.body.data).toHaveLength(1);
    expect(log.body.data[0]).toMatchObject({ action: 'accepted', versionHash: offer.publishedVersionHash });
  });

  it('in another version than was read is refused', async () => {
    const seller = await tenant();
    const { id, tokens, offer } = await published(seller);
    await seller.send('PUT', `/offers/${id}`, { customer: seller.customerId, name: 'Neu', validUntil: END });
    expect((await seller.send('POST', `/offers/${id}/publish`)).status).toBe(201);
    const old = await anybody()('POST', `/public/offers/${tokens[0]}/accept`, {
      versionHash: offer.publishedVersionHash,
    });
    expect([old.status, old.body.reason]).toEqual([409, 'offer_changed']);
    expect((await seller.send('GET', `/offers/${id}`)).body.status).toBe('open');
  });

  it('after its end is refused, and the first who opens it announces that', async () => {
    const seller = await tenant();
    const { id, tokens } = await published(seller);
    await offers.peek('UPDATE tenant_clock SET now = $2 WHERE tenant_id = $1', [seller.id, '2026-03-11T00:00:00Z']);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        n % 2
          ? anybody()('GET', `/public/offers/${tokens[0]}`)
          : anybody()('POST', `/public/offers/${tokens[0]}/accept`, {}),
      ),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.reason}`))).toEqual(
      new Set(['410 offer_expired']),
    );
    await run(seller.id, new Date('2026-03-11T00:00:00Z'));
    expect(await notices(id)).toEqual(['offer.published', 'offer.expired']);
  });

  it('is possible at the last moment of its validity, before and after the check has looked', async () => {
    const seller = await tenant();
    const [early, late] = [await published(seller), await published(seller)];
    const accept = async (token: string) => (await anybody()('POST', `/public/offers/${token}/accept`, {})).body;
    await offers.peek('UPDATE tenant_clock SET now = $2 WHERE tenant_id = $1', [seller.id, END]);
    expect((await accept(early.tokens[0]!)).status).toBe('signed');
    await run(seller.id, new Date(END));
    expect((await accept(late.tokens[0]!)).status).toBe('signed');
    await run(seller.id, new Date('2026-03-11T00:00:00Z'));
    for (const { id } of [early, late]) expect(await notices(id)).toEqual(['offer.published', 'offer.signed']);
  });

  it('stays accepted while billing is away; the subscription follows', async () => {
    const seller = await tenant();
    const { id, tokens } = await published(seller);
    billing.isAway = true;
    expect((await anybody()('POST', `/public/offers/${tokens[0]}/accept`, {})).body.status).toBe('signed');
    await run(seller.id);
    expect((await seller.send('GET', `/offers/${id}`)).body.sale).toMatchObject({
      state: 'pending',
      failure: null,
    });
    billing.isAway = false;
    await settled(seller, id);
  });

  it('keeps what billing refuses, and is tried again by staff', async () => {
    const seller = await tenant();
    const { id, tokens } = await published(seller);
    billing.refusal = { status: 422, reason: 'customer_archived' };
    expect((await anybody()('POST', `/public/offers/${tokens[0]}/accept`, {})).status).toBe(201);
    await settled(seller, id, 'failed');
    expect((await seller.send('GET', `/offers/${id}`)).body.sale.failure).toBe('customer_archived');
    billing.refusal = null;
    expect((await seller.send('POST', `/offers/${id}/accept`)).status).toBe(201);
    await settled(seller, id);
    expect(await notices(id)).toEqual(['offer.published', 'offer.signed']);
  });

  it('or archived, never both', async () => {
    const seller = await tenant();
    const { id, tokens } = await published(seller);
    const [accepted, archived] = await Promise.all([
      anybody()('POST', `/public/offers/${tokens[0]}/accept`, {}),
      seller.send('POST', `/offers/${id}/archive`),
    ]);
    expect([accepted.status, archived.status].filter((status) => status === 201)).toHaveLength(1);
    expect([404, 422]).toContain(Math.max(accepted.status, archived.status));
  });

  it('or over, while it is extended: then it can be accepted for longer', async () => {
    const seller = await tenant();
    const all = await Promise.all([1, 2, 3, 4].map(() => published(seller)));
    const at = new Date('2026-03-11T00:00:00Z');
    await offers.peek('UPDATE tenant_clock SET now = $2 WHERE tenant_id = $1', [seller.id, at]);
    const accept = (token: string) => anybody()('POST', `/public/offers/${token}/accept`, {});
    const until = '2026-04-01T00:00:00.000Z';
    const tries = await Promise.all(
      all.map(async ({ id, tokens }) => {
        const [accepted, extended] = await Promise.all([
          accept(tokens[0]!),
          seller.send('POST', `/offers/${id}/extend`, { validUntil: until }),
        ]);
        return { id, token: tokens[0]!, accepted, extended };
      }),
    );
    for (const { id, token, accepted, extended } of tries) {
      expect([extended.status, extended.body.validUntil]).toEqual([201, until]);
      if (accepted.status !== 201) {
        expect([accepted.status, accepted.body.reason]).toEqual([410, 'offer_expired']);
        expect((await accept(token)).status).toBe(201);
      }
      expect((await notices(id)).filter((type) => type === 'offer.signed')).toHaveLength(1);
      const later = await seller.send('POST', `/offers/${id}/extend`, { validUntil: '2026-05-01T00:00:00Z' });
      expect([later.status, later.body.reason]).toEqual([422, 'invalid_status_transition']);
    }
  });

  it('by a reader is refused', async () => {
    const { tokens } = await published(await tenant(), {}, [{ email: 'leser@x.example', role: 'read' }]);
    const answer = await anybody()('POST', `/public/offers/${tokens[0]}/accept`, {});
    expect([answer.status, answer.body.reason]).toEqual([403, 'recipient_cannot_sign']);
  });

  it('on paper is recorded by staff only', async () => {
    const seller = await tenant();
    const { id, tokens } = await published(seller, { acceptanceMode: 'print' });
    expect((await anybody()('POST', `/public/offers/${tokens[0]}/accept`, {})).body.reason).toBe(
      'not_acceptable_online',
    );
    expect((await seller.send('POST', `/offers/${id}/accept`)).body).toMatchObject({ status: 'signed', signed: true });
    await settled(seller, id);
  });
});

describe('an offer with signatures', () => {
  const people = [
    { email: 'zwei@x.example', turn: 2 },
    { email: 'eins@x.example', turn: 1 },
  ];

  it('is signed in turn, by all, then begins', async () => {
    const seller = await tenant();
    const { id, tokens, offer } = await published(seller, { acceptanceMode: 'esignature' }, people);
    const [second, first] = tokens;
    expect((await anybody()('POST', `/public/offers/${second}/accept`, {})).body.reason).toBe('signature_required');
    expect((await anybody()('POST', `/public/offers/${second}/sign`, signature())).body.reason).toBe('not_your_turn');
    const answerOfFirst = await anybody()('POST', `/public/offers/${first}/sign`, signature('Eva Eins'));
    expect([answerOfFirst.status, answerOfFirst.body.status]).toEqual([201, 'signing']);
    expect((await anybody()('POST', `/public/offers/${first}/sign`, signature())).body.reason).toBe('already_signed');
    const put = await seller.send('PUT', `/offers/${id}`, { customer: seller.customerId });
    expect(put.body.reason).toBe('invalid_status_transition');
    const two = await anybody()('POST', `/public/offers/${second}/sign`, {
      ...signature('Zeno Zwei'),
      versionHash: offer.publishedVersionHash,
    });
    expect([two.status, two.body.status, two.body.signed]).toEqual([201, 'signed', true]);
    await settled(seller, id);
    const log = (await seller.send('GET', `/offers/${id}/audit-log`)).body.data;
    expect(log.map((entry: { name: string }) => entry.name)).toEqual(['Eva Eins', 'Zeno Zwei']);
    await expect(offers.peek('DELETE FROM offer_audit WHERE offer_id = $1', [id])).rejects.toThrow(/stays as it is/);
  });

  it('can be opened again, and its signatures count no more', async () => {
    const seller = await tenant();
    const { id, tokens } = await published(seller, { acceptanceMode: 'esignature' }, people);
    expect((await anybody()('POST', `/public/offers/${tokens[1]}/sign`, signature())).status).toBe(201);
    // Without the other one nobody could complete it.
    const { recipients } = (await seller.send('GET', `/offers/${id}`)).body;
    const path = `/offers/${id}/recipients/${recipients.find(({ signed }: { signed: boolean }) => !signed).id}`;
    expect((await seller.send('DELETE', path)).body.reason).toBe('invalid_status_transition');
    const open = await seller.send('POST', `/offers/${id}/cancel-signing`);
    expect([open.status, open.body.status]).toEqual([201, 'open']);
    expect(open.body.recipients.map(({ signed }: { signed: boolean }) => signed)).toEqual([false, false]);
    expect((await seller.send('POST', `/offers/${id}/cancel-signing`)).body.reason).toBe('invalid_status_transition');
    expect((await seller.send('GET', `/offers/${id}/audit-log`)).body.data).toHaveLength(2);
  });

  it('waits for the invoice details that nobody knows', async () => {
    const seller = await tenant({ withAddress: false });
    const { id, tokens } = await published(seller, { acceptanceMode: 'esignature' });
    const details = {
      street: 'Elbchaussee',
      zip: '22765',
      city: 'Hamburg',
      poNumber: 'PO-7',
      leitwegId: '04011000-1234512345-06',
    };
    const early = await anybody()('POST', `/public/offers/${tokens[0]}/invoice-details`, details);
    expect(early.body.reason).toBe('invalid_status_transition');
    const signed = await anybody()('POST', `/public/offers/${tokens[0]}/sign`, signature());
    expect(signed.body.status).toBe('awaiting_invoice_details');
    const empty = await anybody()('POST', `/public/offers/${tokens[0]}/invoice-details`, { street: ' ' });
    expect([400, 422]).toContain(empty.status);
    const mistyped = { ...details, leitwegId: '04011000-1234512345-07' };
    const refused = await anybody()('POST', `/public/offers/${tokens[0]}/invoice-details`, mistyped);
    expect([refused.status, refused.body.violations]).toMatchObject([422, [{ code: 'invalid_leitweg_id' }]]);
    const given = await anybody()('POST', `/public/offers/${tokens[0]}/invoice-details`, details);
    expect([given.status, given.body.status]).toEqual([201, 'signed']);
    await settled(seller, id);
    expect(billing.of(`${ulidToUuid(id)}/acceptance`)[0]?.body['invoiceDetails']).toMatchObject({
      city: 'Hamburg',
      countryCode: 'DE',
      leitwegId: details.leitwegId,
    });
    expect((await seller.send('GET', `/offers/${id}`)).body.capturedInvoiceDetails).toMatchObject({ poNumber: 'PO-7' });
  });

  it('is not accepted with details whose tax is not the one it shows by then, because others were given meanwhile', async () => {
    const { tokens } = await published(await tenant({ withAddress: false }), { acceptanceMode: 'esignature' });
    await anybody()('POST', `/public/offers/${tokens[0]}/sign`, signature());
    const abroad = { ...QUOTE, totals: { ...QUOTE.totals, tax: eur(0), gross: eur(3000) } };
    const countryIn = (body: Record<string, unknown>) =>
      (body['invoiceDetails'] as { countryCode: string }).countryCode;
    const answers = billing.answers;
    billing.answers = (asked) =>
      asked.path.endsWith('/quotes') && countryIn(asked.body) === 'CH' ? abroad : answers(asked);
    const give = (countryCode: string) =>
      anybody()('POST', `/public/offers/${tokens[0]}/invoice-details`, {
        ...{ street: 'Ring', zip: '8002', city: 'Eck', countryCode },
      });
    let isOvertaken = false;
    billing.pause = ({ path, body }, moment) => {
      if (isOvertaken || moment === 'before' || !path.endsWith('/quotes') || countryIn(body) !== 'DE') return;
      isOvertaken = true;
      return give('CH').then(({ body }) => expect(body.reason).toBe('offer_changed'));
    };
    const late = await give('DE').finally(() => (billing.pause = () => undefined));
    expect([late.status, late.body.reason, isOvertaken]).toEqual([409, 'offer_changed', true]);
    const shown = await anybody()('GET', `/public/offers/${tokens[0]}`);
    expect(shown.body).toMatchObject({ status: 'awaiting_invoice_details', totals: { tax: eur(0) } });
    expect((await give('CH')).body).toMatchObject({ status: 'signed', totals: { tax: eur(0) } });
  });

  it.each([
    ['no name', { signature: { type: 'typed', data: 'x' } }, 400],
    [
      'a drawing that is none',
      { name: 'Eva', signature: { type: 'drawn', data: 'data:image/svg+xml;base64,AA' } },
      422,
    ],
    ['a drawing of 5 MB', { name: 'Eva', signature: { type: 'drawn', data: 'x'.repeat(5_000_000) } }, 422],
  ])('refuses %s', async (_name, body, status) => {
    const { tokens } = await published(await tenant(), { acceptanceMode: 'esignature' });
    expect((await anybody()('POST', `/public/offers/${tokens[0]}/sign`, body)).status).toBe(status);
  });
});

describe('recipients', () => {
  it('get a link once, that can be taken back', async () => {
    const seller = await tenant();
    const { id } = await published(seller);
    const added = await seller.send('POST', `/offers/${id}/recipients`, { email: 'neu@x.example', role: 'read' });
    expect([added.status, added.body.role]).toEqual([201, 'read']);
    const token = tokenOf(added.body.link);
    expect((await anybody()('GET', `/public/offers/${token}`)).status).toBe(200);
    expect((await seller.send('GET', `/offers/${id}`)).body.recipients.map((r: object) => 'link' in r)).toEqual([
      false,
      false,
    ]);
    const again = await seller.send('POST', `/offers/${id}/recipients`, { email: 'NEU@x.example' });
    expect([again.status, again.body.reason]).toEqual([422, 'already_exists']);
    expect((await seller.send('DELETE', `/offers/${id}/recipients/${added.body.id}`)).status).toBe(204);
    expect((await anybody()('GET', `/public/offers/${token}`)).status).toBe(404);
  });

  it('of a new offer get a link once, also where the request comes again', async () => {
    const { send, customerId } = await tenant();
    const body = { customer: customerId, name: 'Team', recipients: [{ email: 'neu@x.example', role: 'sign' }] };
    const create = () => send('POST', '/offers', body, { 'idempotency-key': 'offer-with-recipients' });
    const [made, again] = [await create(), await create()];
    expect(made.body.recipients[0].link).toContain('/public/offers/');
    expect([again.status, again.body.id, 'link' in again.body.recipients[0]]).toEqual([201, made.body.id, false]);
    expect(again.headers.get('idempotent-withheld')).toBe('link');
  });

  it('get their link by mail once, as soon as the offer is published', async () => {
    const seller = await tenant();
    const people = [{ email: 'post@x.example', sendEmail: true }, { email: 'selbst@x.example' }];
    const { id, tokens } = await published(seller, { name: 'Eins' }, people);
    const later = await seller.send('POST', `/offers/${id}/recipients`, { email: 'neu@x.example', sendEmail: true });
    expect(later.status).toBe(201);
    expect((await seller.send('PUT', `/offers/${id}`, { customer: seller.customerId, name: 'Zwei' })).status).toBe(200);
    expect((await seller.send('POST', `/offers/${id}/publish`)).status).toBe(201);
    const sent = await offers.peek<{ email: string; link: string }>(
      `SELECT payload::jsonb->>'email' AS email, payload::jsonb->>'link' AS link FROM outbox
       WHERE type = 'offers.offer.link-sent.v1' AND tenant_id = $1 ORDER BY id`,
      [seller.id],
    );
    expect(sent.map(({ email, link }) => [email, tokenOf(link)])).toEqual([
      ['post@x.example', tokens[0]],
      ['neu@x.example', tokenOf(later.body.link)],
    ]);
  });

  it('see nothing of an offer that is not published or was archived', async () => {
    const seller = await tenant();
    const made = await seller.send('POST', '/offers', {
      customer: seller.customerId,
      recipients: [{ email: 'a@x.example' }],
    });
    const token = tokenOf(made.body.recipients[0].link);
    expect((await anybody()('GET', `/public/offers/${token}`)).status).toBe(404);
    expect((await seller.send('POST', `/offers/${made.body.id}/publish`)).status).toBe(201);
    expect((await anybody()('GET', `/public/offers/${token}`)).status).toBe(200);
    expect((await seller.send('POST', `/offers/${made.body.id}/archive`)).status).toBe(201);
    expect((await anybody()('GET', `/public/offers/${token}`)).status).toBe(404);
  });

  it('of the original are not those of its duplicate', async () => {
    const seller = await tenant();
    const { id } = await published(seller, { name: 'Vorlage' });
    const copy = await seller.send('POST', `/offers/${id}/duplicate`);
    expect(copy.status).toBe(201);
    expect(copy.body).toMatchObject({
      name: 'Vorlage',
      status: 'open',
      issuedAt: null,
      recipients: [],
      validUntil: END,
    });
    expect(copy.body.number).not.toBe((await seller.send('GET', `/offers/${id}`)).body.number);
  });
});
