import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal, eventually, type Send } from '@kontor/testing';
import { type World, world } from './world.js';

let here: World;
beforeAll(async () => {
  here = await world();
});
afterAll(() => here.stop());

async function customer(): Promise<{ tenantId: string; customerId: string; send: Send }> {
  const tenant = await here.tenant();
  const customerId = newUuid();
  await here.webhooks.giveCopy('customer', tenant.id, customerId, { id: customerId });
  return { tenantId: tenant.id, customerId, send: tenant.send };
}

describe('the activity log of a customer', () => {
  it('has an entry for every notice that asks for one, with its time and who did it', async () => {
    const { tenantId, customerId, send } = await customer();
    const now = new Date('2026-03-01T09:00:00.000Z');
    const actor = { kind: 'api_key', id: newUuid(), name: 'Shop' };
    await here.publish(
      tenantId,
      [
        { type: 'customer.created', customerId, activity: { metadata: { customerNumber: 'K-1' } } },
        { type: 'customer.updated', customerId, activity: null },
      ],
      { now, actor },
    );
    await here.publish(
      tenantId,
      [
        { type: 'invoice.finalized', customerId, activity: { metadata: { number: 'RE-1' } } },
        { type: 'invoice.created', customerId: newUuid(), activity: { metadata: {} } },
      ],
      { now: new Date('2026-03-02T09:00:00Z') },
    );
    await eventually(async () => (await send('GET', `/customers/${customerId}/activities`)).body.data.length === 2);
    const { body } = await send('GET', `/customers/${customerId}/activities`);
    expect(body.data).toEqual([
      {
        id: expect.any(String),
        dateTime: '2026-03-02T09:00:00.000Z',
        type: 'invoice.finalized',
        user: null,
        metadata: { number: 'RE-1' },
        pinned: false,
      },
      {
        id: expect.any(String),
        dateTime: now.toISOString(),
        type: 'customer.created',
        user: null,
        metadata: { customerNumber: 'K-1', actor: 'Shop' },
        pinned: false,
      },
    ]);
  });

  it('takes no comment on who was anonymized: confirmed, it would be taken away again, or stay', async () => {
    const { tenantId, customerId, send } = await customer();
    const anonymized = { id: customerId, anonymizedAt: '2026-03-01T09:00:00.000Z' };
    await here.webhooks.giveCopy('customer', tenantId, customerId, anonymized, 2);
    expect(await send('POST', `/customers/${customerId}/comment`, { comment: 'Was Ada Berg.' })).toMatchObject({
      status: 422,
      body: { reason: 'customer_anonymized' },
    });
    expect((await send('GET', `/customers/${customerId}/activities`)).body.data).toEqual([]);
  });

  it('takes comments of 1 to 5000 characters, names the key, and refuses unknown customers', async () => {
    const { customerId, send } = await customer();
    const written = await send('POST', `/customers/${customerId}/comment`, { comment: 'Called, wants a quote.' });
    expect(written).toMatchObject({ status: 201 });
    expect(written.body).toEqual({
      id: expect.any(String),
      dateTime: expect.any(String),
      type: 'commented',
      user: null,
      metadata: { comment: 'Called, wants a quote.', actor: 'Test key' },
      pinned: false,
    });
    expect((await send('GET', `/customers/${customerId}/activities`)).body.data).toEqual([written.body]);
    expect((await send('POST', `/customers/${customerId}/comment`, { comment: 'x'.repeat(5000) })).status).toBe(201);
    expect((await send('POST', `/customers/${customerId}/comment`, { comment: 'x'.repeat(5001) })).status).toBe(422);
    expect((await send('POST', `/customers/${customerId}/comment`, { comment: '' })).status).toBe(422);
    expect((await send('POST', `/customers/${customerId}/comment`, { comment: 7 })).status).toBe(400);
    expect((await send('POST', `/customers/${customerId}/comment`, {})).status).toBe(400);
    for (const unknown of [newUuid(), 'nonsense']) {
      expect((await send('POST', `/customers/${unknown}/comment`, { comment: 'x' })).status).toBe(404);
      expect((await send('GET', `/customers/${unknown}/activities`)).status).toBe(404);
    }
  });

  it('shows pinned entries first', async () => {
    const { tenantId, customerId, send } = await customer();
    const ids: string[] = [];
    for (const comment of ['one', 'two', 'three'])
      ids.push((await send('POST', `/customers/${customerId}/comment`, { comment })).body.id);
    const order = async (): Promise<string[]> =>
      ((await send('GET', `/customers/${customerId}/activities`)).body.data as { metadata: { comment: string } }[]).map(
        ({ metadata }) => metadata.comment,
      );
    expect(await order()).toEqual(['three', 'two', 'one']);
    expect((await send('PUT', `/activities/${ids[0]}/pin`)).body).toMatchObject({ id: ids[0], pinned: true });
    expect(await order()).toEqual(['one', 'three', 'two']);
    expect(
      (await send('GET', `/customers/${customerId}/activities?pinned=true&limit=1`)).body.meta.pagination,
    ).toMatchObject({
      totalItems: 1,
    });
    expect((await send('PUT', `/activities/${ids[0]}/unpin`)).body).toMatchObject({ pinned: false });
    expect(await order()).toEqual(['three', 'two', 'one']);
    expect((await send('PUT', `/activities/${newUuid()}/pin`)).status).toBe(404);
    const foreign = here.webhooks.as(apiKeyPrincipal(newUuid()));
    expect((await foreign('PUT', `/activities/${ids[0]}/pin`)).status).toBe(404);
    const reader = here.webhooks.as(apiKeyPrincipal(tenantId, { permissions: ['customer:read'] }));
    expect((await reader('PUT', `/activities/${ids[0]}/pin`)).status).toBe(403);
  });
});
