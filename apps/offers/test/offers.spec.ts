import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal, customerPrincipal, testService, type TestService } from '@kontor/testing';
import { offersService } from '../src/index.js';

const NOW = new Date('2026-03-02T09:00:00.000Z');
const END = '2026-03-10T22:59:59.999Z';
/** The first moment at which nobody can accept it any more. */
const OVER = '2026-03-10T23:00:00.000Z';
let offers: TestService;

beforeAll(async () => {
  offers = await testService(offersService, { now: NOW });
  // Billing is not here: what was not copied does not exist.
  offers.service.kit.replicas.readThrough(null);
});
afterAll(() => offers.stop());

type Send = ReturnType<TestService['as']>;
interface Tenant {
  readonly id: string;
  readonly customerId: string;
  readonly send: Send;
}

async function tenant(): Promise<Tenant> {
  const id = newUuid();
  const customerId = newUuid();
  await offers.giveCopy('tenant', id, id, { id, timeZone: 'Europe/Berlin' });
  await offers.giveCopy('customer', id, customerId, {
    id: customerId,
    status: 'STATUS_ACTIVE',
    language: 'de',
    representation: { id: customerId, companyName: 'Backhaus' },
  });
  // A frozen clock: due work then runs when the test says so.
  await offers.peek('INSERT INTO tenant_clock (tenant_id, now) VALUES ($1, $2)', [id, NOW]);
  return { id, customerId, send: offers.as(apiKeyPrincipal(id)) };
}
const advance = async (tenantId: string, to: string): Promise<void> => {
  await offers.peek('UPDATE tenant_clock SET now = $2 WHERE tenant_id = $1', [tenantId, to]);
  expect(await offers.service.kit.dueRunner.runDue(tenantId, new Date(to))).toEqual([]);
};
const notices = async (offerId: string): Promise<string[]> =>
  (
    await offers.peek<{ type: string }>(
      "SELECT n->>'type' AS type FROM outbox, jsonb_array_elements(payload::jsonb->'notices') n WHERE aggregate_id = $1 ORDER BY id",
      [offerId],
    )
  ).map((row) => row.type);

describe('offers', () => {
  it('are created open and unpublished, with a running number per tenant', async () => {
    const { send, customerId } = await tenant();
    const first = await send('POST', '/offers', {
      customer: customerId,
      validUntil: END,
      name: 'Team-Angebot',
      sections: [{ type: 'letterhead' }],
    });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      number: 'AN-2026-00001',
      status: 'open',
      issuedAt: null,
      validUntil: END,
      dealType: 'new_business',
      acceptanceMode: 'click',
      locale: 'de',
      signed: false,
      hasUnpublishedChanges: true,
      autoActivateSubscription: true,
      customer: { id: customerId, companyName: 'Backhaus' },
      subscription: null,
      recipients: [],
    });
    expect((await send('POST', '/offers', { customer: customerId })).body.number).toBe('AN-2026-00002');
    expect((await send('GET', `/offers/${first.body.id}`)).body).toEqual(first.body);
  });

  it('numbers have no gap when many are created at once', async () => {
    const { send, customerId } = await tenant();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send('POST', '/offers', { customer: customerId })),
    );
    expect(answers.map(({ body }) => body.number).sort()).toEqual(
      Array.from({ length: 20 }, (_, i) => `AN-2026-${String(i + 1).padStart(5, '0')}`),
    );
  });

  it('a published one expires once, after the last moment of its validity, with the lean payload', async () => {
    const { id, send, customerId } = await tenant();
    const { body: offer } = await send('POST', '/offers', { customer: customerId, validUntil: END });
    const published = await send('POST', `/offers/${offer.id}/publish`);
    expect(published.status).toBe(201);
    expect(published.body).toMatchObject({ issuedAt: NOW.toISOString(), hasUnpublishedChanges: false });
    await advance(id, END);
    expect(await notices(offer.id)).toEqual(['offer.published']);
    await advance(id, OVER);
    await advance(id, '2026-05-01T00:00:00Z');
    expect(await notices(offer.id)).toEqual(['offer.published', 'offer.expired']);
    const [event] = await offers.peek<{
      payload: { state: unknown; notices: { data: { offer: Record<string, unknown> } }[] };
      effective_at: Date;
    }>('SELECT payload::jsonb, effective_at FROM outbox WHERE aggregate_id = $1 ORDER BY id DESC LIMIT 1', [offer.id]);
    expect(event?.effective_at.toISOString()).toBe(OVER);
    expect(event?.payload.notices[0]?.data.offer).toMatchObject({
      id: offer.id,
      status: 'open',
      validUntil: END,
      customer: {},
      subscription: {},
      recipients: [],
      contactPerson: null,
      signedDocument: null,
    });
    expect((await send('GET', `/offers/${offer.id}`)).body.status).toBe('open');
  });

  it('extended after it has expired, it expires again as a new event', async () => {
    const { id, send, customerId } = await tenant();
    const { body: offer } = await send('POST', '/offers', { customer: customerId, validUntil: END });
    await send('POST', `/offers/${offer.id}/publish`);
    await advance(id, '2026-03-11T00:00:00Z');
    const extended = await send('POST', `/offers/${offer.id}/extend`, { validUntil: '2026-04-01T00:00:00Z' });
    expect([extended.status, extended.body.validUntil]).toEqual([201, '2026-04-01T00:00:00.000Z']);
    await advance(id, '2026-03-20T00:00:00Z');
    expect(await notices(offer.id)).toEqual(['offer.published', 'offer.expired']);
    await advance(id, '2026-04-02T00:00:00Z');
    expect(await notices(offer.id)).toEqual(['offer.published', 'offer.expired', 'offer.expired']);
  });

  it.each([
    ['unpublished', async () => undefined],
    ['archived', async (send: Send, id: string) => void (await send('POST', `/offers/${id}/archive`))],
  ])('an %s one never expires', async (_name, act) => {
    const { id, send, customerId } = await tenant();
    const { body: offer } = await send('POST', '/offers', { customer: customerId, validUntil: END });
    if (_name === 'archived') await send('POST', `/offers/${offer.id}/publish`);
    await act(send, offer.id);
    await advance(id, '2026-05-01T00:00:00Z');
    expect(await notices(offer.id)).not.toContain('offer.expired');
  });

  it('two runners that find the same end announce it once', async () => {
    const { id, send, customerId } = await tenant();
    const { body: offer } = await send('POST', '/offers', { customer: customerId, validUntil: END });
    await send('POST', `/offers/${offer.id}/publish`);
    await offers.peek('UPDATE tenant_clock SET now = $2 WHERE tenant_id = $1', [id, OVER]);
    await Promise.all([1, 2, 3, 4].map(() => offers.service.kit.dueRunner.runDue(id, new Date(OVER))));
    expect((await notices(offer.id)).filter((type) => type === 'offer.expired')).toHaveLength(1);
  });

  it('a change after publication is unpublished until it is published again', async () => {
    const { send, customerId } = await tenant();
    const { body: offer } = await send('POST', '/offers', { customer: customerId, validUntil: END, name: 'Eins' });
    await send('POST', `/offers/${offer.id}/publish`);
    await send('POST', `/offers/${offer.id}/publish`);
    const changed = await send('PUT', `/offers/${offer.id}`, { ...offer, customer: customerId, name: 'Zwei' });
    expect([changed.status, changed.body.name, changed.body.hasUnpublishedChanges]).toEqual([200, 'Zwei', true]);
    expect((await send('POST', `/offers/${offer.id}/publish`)).body.hasUnpublishedChanges).toBe(false);
    expect(await notices(offer.id)).toEqual(['offer.published', 'offer.published']);
  });

  it('another end of validity in a change moves the expiry', async () => {
    const { id, send, customerId } = await tenant();
    const { body: offer } = await send('POST', '/offers', { customer: customerId, validUntil: END });
    await send('POST', `/offers/${offer.id}/publish`);
    await send('PUT', `/offers/${offer.id}`, { customer: customerId, validUntil: '2026-06-01T00:00:00Z' });
    await advance(id, '2026-05-01T00:00:00Z');
    expect(await notices(offer.id)).toEqual(['offer.published']);
    await send('PUT', `/offers/${offer.id}`, { customer: customerId });
    await advance(id, '2027-01-01T00:00:00Z');
    expect(await notices(offer.id)).toEqual(['offer.published']);
  });

  it.each([
    ['no customer', {}, 400, 'invalid_request'],
    ['a customer that does not exist', { customer: newUuid() }, 422, 'unknown_reference'],
    ['a validity in the past', { validUntil: '2026-03-01T00:00:00Z' }, 422, 'validation_failed'],
    ['an unknown deal type', { dealType: 'gift' }, 422, 'validation_failed'],
    ['a validity without zone', { validUntil: '2026-05-01' }, 422, 'validation_failed'],
    ['an unknown field', { price: 5 }, 400, 'unknown_field'],
    ['an unknown way to accept', { acceptanceMode: 'handshake' }, 422, 'validation_failed'],
    ['a recipient without address', { recipients: [{ email: 'a' }] }, 422, 'validation_failed'],
    ['an unknown subscription', { subscription: newUuid() }, 422, 'unknown_reference'],
    ['sections without type', { sections: [{}] }, 422, 'validation_failed'],
    ['a section of an unknown type', { sections: [{ type: 'video' }] }, 422, 'validation_failed'],
    ['a section whose text is none', { sections: [{ type: 'text', text: 5 }] }, 422, 'validation_failed'],
    ['a nested variable', { customVariables: { a: {} } }, 422, 'validation_failed'],
  ])('with %s is refused', async (name, body, status, reason) => {
    const { id, send, customerId } = await tenant();
    const answer = await send('POST', '/offers', name === 'no customer' ? body : { customer: customerId, ...body });
    expect([answer.status, answer.body.reason]).toEqual([status, reason]);
    expect(
      await offers.peek(
        'SELECT 1 FROM offer WHERE tenant_id = $1 UNION ALL SELECT 1 FROM offer_series WHERE tenant_id = $1',
        [id],
      ),
    ).toEqual([]);
  });

  it('names a subscription of the same customer only', async () => {
    const { id, send, customerId } = await tenant();
    const [subscriptionId, foreign] = [newUuid(), newUuid()];
    await offers.giveCopy('subscription', id, subscriptionId, { id: subscriptionId, customerId, number: 'S-1' });
    await offers.giveCopy('subscription', id, foreign, { id: foreign, customerId: newUuid(), number: 'S-2' });
    expect(
      (await send('POST', '/offers', { customer: customerId, subscription: subscriptionId })).body.subscription,
    ).toMatchObject({
      id: subscriptionId,
      number: 'S-1',
    });
    expect((await send('POST', '/offers', { customer: customerId, subscription: foreign })).body.reason).toBe(
      'validation_failed',
    );
  });

  it('forbidden moves are refused', async () => {
    const { send, customerId } = await tenant();
    const { body: offer } = await send('POST', '/offers', { customer: customerId, validUntil: END });
    await send('POST', `/offers/${offer.id}/archive`);
    for (const action of ['publish', 'archive'])
      expect((await send('POST', `/offers/${offer.id}/${action}`)).body.reason).toBe('invalid_status_transition');
    expect((await send('POST', `/offers/${offer.id}/extend`, { validUntil: '2027-01-01T00:00:00Z' })).body.reason).toBe(
      'invalid_status_transition',
    );
    expect((await send('PUT', `/offers/${offer.id}`, { customer: customerId })).body.reason).toBe(
      'invalid_status_transition',
    );
  });

  it('an archived customer gets no offer', async () => {
    const { id, send, customerId } = await tenant();
    await offers.giveCopy('customer', id, customerId, { id: customerId, status: 'STATUS_ARCHIVED', language: 'de' }, 2);
    expect((await send('POST', '/offers', { customer: customerId })).body.reason).toBe('customer_archived');
  });

  it('are listed newest first, filtered, and hidden from other tenants and customers', async () => {
    const [seller, other] = [await tenant(), await tenant()];
    const { body: first } = await seller.send('POST', '/offers', { customer: seller.customerId });
    const { body: second } = await seller.send('POST', '/offers', { customer: seller.customerId, dealType: 'renewal' });
    await seller.send('POST', `/offers/${first.id}/archive`);
    const list = await seller.send('GET', '/offers?order[number]=desc');
    expect(list.body.data.map((offer: { id: string }) => offer.id)).toEqual([second.id, first.id]);
    expect(list.body.meta.pagination).toMatchObject({ totalItems: 2, currentPage: 1 });
    expect((await seller.send('GET', '/offers?status=archived')).body.data).toHaveLength(1);
    expect((await seller.send('GET', `/offers?customer=${newUuid()}`)).body.data).toHaveLength(0);
    expect((await seller.send('GET', '/offers?colour=red')).status).toBe(400);
    expect((await other.send('GET', `/offers/${first.id}`)).status).toBe(404);
    expect((await other.send('POST', `/offers/${first.id}/publish`)).status).toBe(404);
    expect((await seller.send('GET', '/offers/nonsense')).status).toBe(404);
    expect(
      (
        await offers.as(apiKeyPrincipal(seller.id, { permissions: ['offer:read'] }))('POST', '/offers', {
          customer: seller.customerId,
        })
      ).status,
    ).toBe(403);
    expect((await offers.as(customerPrincipal(seller.id, seller.customerId))('GET', '/offers')).status).toBe(403);
    expect((await offers.as(null)('GET', '/offers')).status).toBe(401);
  });
});
