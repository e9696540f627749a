import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { EmbeddedBus } from '@kontor/messaging';
import { apiKeyPrincipal, testService, type TestService } from '@kontor/testing';
import { ServiceDirectory } from '../src/index.js';
import { copyService, sampleService } from './sample-service.js';

describe("copies of another service's objects", () => {
  const bus = new EmbeddedBus();
  const directory = new ServiceDirectory();
  const principal = apiKeyPrincipal(newUuid());
  let owner: TestService;
  let copier: TestService;

  beforeAll(async () => {
    owner = await testService(sampleService, { bus, directory });
    copier = await testService(copyService, { bus, directory });
  });
  afterAll(async () => {
    await copier.stop();
    await owner.stop();
  });

  const write = async (title: string): Promise<string> =>
    (await owner.as(principal)('POST', '/notes', { title })).body.id;
  const copyOf = async (id: string): Promise<string> => (await copier.as(principal)('GET', `/copies/${id}`)).body.title;
  const stored = (id: string) => copier.peek('SELECT version, deleted FROM replica WHERE id = $1', [id]);

  it('have arrived when the write is answered', async () => {
    const id = await write('Fresh');
    expect(await stored(id)).toHaveLength(1);
    expect(await copyOf(id)).toBe('Fresh');
  });

  it('follow changes', async () => {
    const id = await write('Before');
    const renamer = owner.as({ ...principal, permissions: ['bank-account-transaction:write'] });
    expect((await renamer('PUT', `/notes/${id}`, { title: 'After' })).status).toBe(200);
    await owner.service.kit.freshness.copied('customer', principal.tenantId, id, 2);
    expect(await copyOf(id)).toBe('After');
    expect(await copier.peek('SELECT FROM inbox')).toEqual([]);
  });

  it('are fetched from the owner when missing', async () => {
    const id = await write('Missing');
    await copier.peek('DELETE FROM replica WHERE id = $1', [id]);
    expect(await copyOf(id)).toBe('Missing');
    expect(await stored(id)).toHaveLength(1);
    expect(await copyOf(newUuid())).toBe('nobody');
  });

  it('are noticed also where another process has stored them', async () => {
    const id = await write('Elsewhere');
    await copier.peek('UPDATE replica SET version = 7 WHERE id = $1', [id]);
    const copy = (version: number) => ({ kind: 'customer', tenantId: principal.tenantId, id, version });
    const ask = (...copies: object[]) =>
      owner.service.kit.client.call('usage', 'POST', '/internal/copies?waitMs=100', { copies }, principal);
    expect(await ask(copy(7), copy(8))).toEqual({ copied: [true, false] });
    expect(await ask(copy(8))).toEqual({ copied: [false] });
  });

  it('stay with their tenant', async () => {
    const id = await write('Private');
    const foreign = copier.as(apiKeyPrincipal(newUuid()));
    expect((await foreign('GET', `/copies/${id}`)).body.title).toBe('nobody');
  });

  it('a copier that is down does not hold up a write', async () => {
    const lonely = await testService(sampleService);
    let quickestMs = Infinity;
    // The quickest of several: one may be slow on a machine that does other work, all of them only when they wait.
    for (let n = 0; n < 5; n++) {
      const startedAt = Date.now();
      expect((await lonely.as(principal)('POST', '/notes', { title: 'Alone' })).status).toBe(201);
      quickestMs = Math.min(quickestMs, Date.now() - startedAt);
    }
    expect(quickestMs).toBeLessThan(1900);
    await lonely.stop();
  });
});
