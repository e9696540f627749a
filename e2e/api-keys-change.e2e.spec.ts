import { describe, expect, it } from '@jest/globals';
import { eventually } from '@kontor/testing';
import { Api } from './support/api.js';
import { System } from './support/system.js';

describe('changing an API key', () => {
  it('leaves no moment without a valid one, and ends the old one', async () => {
    const system = await System.shared();
    const { api } = await system.sandbox();
    const made = await api.ok('POST', '/api-keys', { name: 'next', permissions: ['*'] });
    const next = new Api(system.connection.baseUrl, made.secret);
    expect((await api.send('GET', '/customers')).status).toBe(200);
    expect((await next.send('GET', '/customers')).status).toBe(200);
    const { data } = await next.ok('GET', '/api-keys');
    const former = data.find(({ id }: { id: string }) => id !== made.id);
    expect((await next.send('DELETE', `/api-keys/${former.id}`)).status).toBe(204);
    await eventually(async () => (await api.send('GET', '/customers')).status === 401, 'the old key is refused');
    expect((await next.send('GET', '/customers')).status).toBe(200);
  });
});
