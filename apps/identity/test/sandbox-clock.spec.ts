import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { apiKeyPrincipal, eventually, type Send, testService, type TestService } from '@kontor/testing';
import { CreateSandboxTenant, identityService } from '../src/index.js';
import { CreateTenant } from '../src/tenants/create-tenant.js';
import { FakeServices } from './fake-services.js';

describe('the sandbox clock', () => {
  let fakes: FakeServices;
  let test: TestService;
  let tenantId: string;
  let send: Send;

  beforeAll(async () => {
    fakes = await FakeServices.start('identity');
    test = await testService(identityService, { directory: fakes.directory });
    test.clock.set('2026-01-31T10:00:00.000Z');
  }, 60_000);
  afterAll(async () => {
    await test?.stop();
    fakes?.stop();
  });
  afterEach(() => {
    fakes.due.clear();
    fakes.bend.clear();
    fakes.failing.clear();
    fakes.away.clear();
    fakes.done.length = 0;
    fakes.onRun = () => undefined;
  });

  const tenant = async (now: string | null = null): Promise<void> => {
    const made = await test.service
      .get(CreateSandboxTenant)
      .execute({ name: 'Sandbox', plan: 'enterprise', features: [], now: now ? new Date(now) : null });
    tenantId = made.tenantId;
    send = test.as(apiKeyPrincipal(tenantId));
  };
  const advance = (to: string): ReturnType<Send> => send('POST', '/sandbox/clock/advance', { to });
  const ready = (): Promise<{ now: string; status: string; problems: { code: string; service: string }[] }> =>
    eventually(async () => {
      const { body } = await send('GET', '/sandbox/clock');
      return body.status === 'ready' && body;
    }, 'the clock is ready');

  it('is real until it is first advanced', async () => {
    await tenant();
    expect((await send('GET', '/sandbox/clock')).body).toEqual({
      now: '2026-01-31T10:00:00.000Z',
      status: 'ready',
      problems: [],
    });
    test.clock.advance(1000);
    expect((await send('GET', '/sandbox/clock')).body.now).toBe('2026-01-31T10:00:01.000Z');
    expect(await advance('2026-02-01T00:00:00Z')).toMatchObject({
      status: 202,
      body: { status: 'advancing', problems: [] },
    });
    expect(await ready()).toEqual({ now: '2026-02-01T00:00:00.000Z', status: 'ready', problems: [] });
    test.clock.advance(1000);
    expect((await ready()).now).toBe('2026-02-01T00:00:00.000Z');
  });

  it('stops at every due time of every service, in order, also at those that come up on the way', async () => {
    await tenant('2026-01-01T00:00:00Z');
    fakes.due.set('billing', ['2026-01-31T02:00:00.000Z']);
    fakes.due.set('offers', ['2026-01-15T00:00:00.000Z']);
    fakes.onRun = (service, at) => {
      if (service === 'billing' && at < '2026-04')
        fakes.due.set('billing', [`2026-0${Number(at[6]) + 1}-28T02:00:00.000Z`]);
    };
    await advance('2026-03-28T02:00:00.000Z');
    expect((await ready()).problems).toEqual([]);
    expect(fakes.done).toEqual([
      'offers 2026-01-15T00:00:00.000Z while 2026-01-15T00:00:00.000Z',
      'billing 2026-01-31T02:00:00.000Z while 2026-01-31T02:00:00.000Z',
      'billing 2026-02-28T02:00:00.000Z while 2026-02-28T02:00:00.000Z',
      'billing 2026-03-28T02:00:00.000Z while 2026-03-28T02:00:00.000Z',
    ]);
  });

  it('waits until every published event is applied everywhere', async () => {
    await tenant('2026-01-01T00:00:00Z');
    fakes.bend.set('billing', { published: { 'billing.charges.due.v1': 3 } });
    fakes.bend.set('invoicing', { applied: { Drafts: { 'billing.charges.due.v1': 2 } } });
    await advance('2026-02-01T00:00:00Z');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await send('GET', '/sandbox/clock')).body).toMatchObject({
      status: 'advancing',
      now: '2026-01-01T00:00:00.000Z',
    });
    fakes.bend.set('invoicing', { applied: { Drafts: { 'billing.charges.due.v1': 3 } } });
    expect(await ready()).toMatchObject({ now: '2026-02-01T00:00:00.000Z', problems: [] });
  });

  it('waits for a service that is away', async () => {
    await tenant('2026-01-01T00:00:00Z');
    fakes.away.add('payments');
    await advance('2026-02-01T00:00:00Z');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await send('GET', '/sandbox/clock')).body.status).toBe('advancing');
    fakes.away.delete('payments');
    expect(await ready()).toMatchObject({ now: '2026-02-01T00:00:00.000Z', problems: [] });
  });

  it('goes on where work took longer than its answer is waited for', async () => {
    await tenant('2026-01-01T00:00:00Z');
    const { now } = performance;
    let passed = 0;
    performance.now = () => now.call(performance) + passed;
    fakes.due.set('billing', ['2026-01-10T00:00:00.000Z']);
    fakes.onRun = (service) => {
      passed += 61_000;
      fakes.lost.add(service);
    };
    try {
      await advance('2026-02-01T00:00:00Z');
      expect(await ready()).toEqual({ now: '2026-02-01T00:00:00.000Z', status: 'ready', problems: [] });
    } finally {
      performance.now = now;
    }
  });

  it('ends with a problem when a message is parked or due work keeps failing, and can be advanced again', async () => {
    await tenant('2026-01-01T00:00:00Z');
    fakes.due.set('billing', ['2026-01-10T00:00:00.000Z']);
    fakes.onRun = () => fakes.bend.set('payments', { parked: 1 });
    await advance('2026-02-01T00:00:00Z');
    expect(await ready()).toMatchObject({
      now: '2026-01-10T00:00:00.000Z',
      problems: [{ code: 'message_parked', service: 'payments' }],
    });

    // What was parked before is known: it does not end the next advance.
    fakes.due.set('offers', ['2026-01-20T00:00:00.000Z']);
    fakes.failing.add('offers');
    await advance('2026-02-01T00:00:00Z');
    expect(await ready()).toMatchObject({
      now: '2026-01-20T00:00:00.000Z',
      problems: [{ code: 'due_work_failed', service: 'offers' }],
    });
    fakes.failing.clear();
    await advance('2026-02-01T00:00:00Z');
    expect(await ready()).toEqual({ now: '2026-02-01T00:00:00.000Z', status: 'ready', problems: [] });
  });

  it('goes on after a crash where it stood', async () => {
    await tenant('2026-01-01T00:00:00Z');
    fakes.bend.set('usage', { unpublished: 1 });
    await advance('2026-02-01T00:00:00Z');
    await new Promise((resolve) => setTimeout(resolve, 300));
    await test.service.kit.dueRunner.stop();
    expect((await send('GET', '/sandbox/clock')).body.status).toBe('advancing');
    fakes.bend.clear();
    test.service.kit.dueRunner.start();
    expect(await ready()).toMatchObject({ now: '2026-02-01T00:00:00.000Z', problems: [] });
  });

  it('moves forward only, one advance at a time', async () => {
    await tenant('2026-03-01T00:00:00Z');
    expect(await advance('2026-02-28T23:59:59.999Z')).toMatchObject({
      status: 422,
      body: { reason: 'clock_moves_forward_only' },
    });
    fakes.bend.set('usage', { unpublished: 1 });
    expect((await advance('2026-04-01T00:00:00Z')).status).toBe(202);
    expect(await advance('2026-05-01T00:00:00Z')).toMatchObject({
      status: 409,
      body: { reason: 'request_in_progress' },
    });
    fakes.bend.clear();
    await ready();
    expect(await send('POST', '/sandbox/clock/advance', {})).toMatchObject({ status: 400 });
    expect(await send('POST', '/sandbox/clock/advance', { to: 'tomorrow' })).toMatchObject({ status: 422 });
  });

  it('live tenants have none', async () => {
    const live = '0199f000-0000-7000-8000-0000000000ff';
    await test.service.kit.database.tenant(live, (tx) =>
      test.service.get(CreateTenant).execute(tx, { name: 'Live', mode: 'live', plan: 'standard', features: [] }),
    );
    const asLive = test.as(apiKeyPrincipal(live));
    expect(await asLive('GET', '/sandbox/clock')).toMatchObject({ status: 403, body: { reason: 'sandbox_only' } });
    expect(await asLive('POST', '/sandbox/clock/advance', { to: '2030-01-01T00:00:00Z' })).toMatchObject({
      status: 403,
      body: { reason: 'sandbox_only' },
    });
  });
});
