import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, eventually, type Json } from './support/api.js';
import { aCustomer } from './support/catalogue.js';
import { ServiceDatabase } from './support/service-database.js';
import { System } from './support/system.js';

describe('Idempotency-Key', () => {
  let system: System;
  let api: Api;

  beforeAll(async () => {
    system = await System.sharedToBeKilled();
    ({ api } = await system.sandbox());
  });

  const body = { email: 'einmal@backhaus-elbe.example', companyName: 'Backhaus Elbe GmbH', customerNumber: 'K-EINMAL' };

  it('the same key fifty times in parallel: one effect, one body', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => api.post('/customers', body, { 'idempotency-key': 'fifty' })),
    );
    const created = answers.filter((answer) => answer.status === 201);
    expect(created.length).toBeGreaterThan(0);
    expect(
      answers.every(
        (answer) => answer.status === 201 || (answer.status === 409 && answer.body.reason === 'request_in_progress'),
      ),
    ).toBe(true);
    expect(new Set(created.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect((await api.get('/customers?customerNumber=K-EINMAL')).body.meta.pagination.totalItems).toBe(1);
    const replayed = await api.post('/customers', body, { 'idempotency-key': 'fifty' });
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    expect(replayed.body).toEqual(created[0]?.body);
  });

  it('another body under the same key is refused', async () => {
    const answer = await api.post(
      '/customers',
      { ...body, companyName: 'Eine andere GmbH' },
      { 'idempotency-key': 'fifty' },
    );
    expect([answer.status, answer.body.reason]).toEqual([422, 'idempotency_key_reused']);
  });

  it('a refused request frees its key', async () => {
    const refused = await api.post(
      '/customers',
      { companyName: 'Ohne Adresse GmbH' },
      { 'idempotency-key': 'refused' },
    );
    expect(refused.status).toBe(400);
    const accepted = await api.post(
      '/customers',
      { email: 'zwei@backhaus-elbe.example', companyName: 'Ohne Adresse GmbH' },
      { 'idempotency-key': 'refused' },
    );
    expect(accepted.status).toBe(201);
  });

  it('the answer survives a crash of the process', async () => {
    const first = await api.post('/customers', { ...body, customerNumber: 'K-CRASH' }, { 'idempotency-key': 'crash' });
    expect(first.status).toBe(201);
    system.kill();
    await system.start();
    const again = await api.post('/customers', { ...body, customerNumber: 'K-CRASH' }, { 'idempotency-key': 'crash' });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('a merge of several customers that is cut off by a crash is completed by its repeat', async () => {
    const [target, first, second] = await Promise.all(
      ['bleibt', 'geht', 'folgt'].map((name) => aCustomer(api, { email: `${name}@backhaus-elbe.example` })),
    );
    const request = { targetCustomerId: target.id, sourceCustomerIds: [first.id, second.id] };
    const merge = () => api.post('/customers/merge', request, { 'idempotency-key': 'merge' });
    const mergedInto = async ({ id }: Json): Promise<string | null> =>
      (await api.ok('GET', `/customers/${id}`)).mergedIntoCustomerId;
    const billing = await ServiceDatabase.of('billing', system);
    const release = await billing.holdRow('customer', second.id);
    const cut = merge().catch(() => null);
    await eventually('the first one is merged', async () => (await mergedInto(first)) === target.id);
    system.kill();
    await cut;
    await release();
    await billing.end();
    await system.start();
    const again = await eventually('the key is free', async () => {
      const answer = await merge();
      return answer.status !== 409 && answer;
    });
    expect(again).toMatchObject({ status: 201, body: { id: target.id } });
    expect(await mergedInto(second)).toBe(target.id);
  });
});
