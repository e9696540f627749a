import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../support/api.js';
import { killService, pidsOf } from '../support/processes.js';
import { describeOnKafka } from '../support/requirements.js';
import { System } from '../support/system.js';

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describeOnKafka('npm run stack', () => {
  let system: System;
  beforeAll(async () => {
    system = await System.sharedStack();
  });

  const createCustomer = () =>
    system.api.post('/customers', { email: 'rechnung@backhaus-elbe.example', companyName: 'Backhaus Elbe GmbH' });

  it('runs a process per service, several of what was asked for', async () => {
    const running = { billing: 2, usage: 2, webhooks: 2, payments: 1 };
    // An earlier scenario may have killed some of them.
    for (const [service, count] of Object.entries(running))
      await eventually(`${count} × ${service}`, async () => pidsOf(service, system.dataDir).length === count);
    expect((await system.api.get('/health')).status).toBe(200);
  });

  it('a write is seen at once by another service, through either replica', async () => {
    for (let n = 0; n < 4; n++) {
      const customer = (await createCustomer()).body;
      const method = await system.api.post('/payment-methods', { gateway: 'bank_transfer', customerId: customer.id });
      expect(method.status).toBe(201);
    }
  });

  it('one replica killed: the other answers, a request that was under way is repeated by its key, and it comes back', async () => {
    const { api } = await system.sandbox();
    const send = (n: number) =>
      api.send(
        'POST',
        '/customers',
        { email: `${n}@example.com`, companyName: 'Doppelt GmbH' },
        { 'idempotency-key': `customer-${n}` },
      );
    const [first] = pidsOf('billing', system.dataDir);
    for (let n = 0; n < 20; n++) {
      if (n === 5) process.kill(first!, 'SIGKILL');
      await eventually(`customer ${n} is created`, async () => ((await send(n)).status === 201 ? true : undefined));
    }
    expect((await api.get('/customers')).body.meta.pagination.totalItems).toBe(20);
    await eventually(
      'two of billing run again',
      async () => pidsOf('billing', system.dataDir).length === 2 || undefined,
    );
  });

  it('a service that is killed answers 503 and comes back', async () => {
    killService('payments', system.dataDir);
    const away = await system.api.get('/payment-methods');
    expect([200, 503]).toContain(away.status);
    await eventually('payments answers again', async () =>
      (await system.api.get('/payment-methods')).status === 200 ? true : undefined,
    );
  });

  // By its name this file is the last of those that share it, which would have to start it again.
  it('stops cleanly: no process is left, and the data stay', async () => {
    const known = JSON.parse(readFileSync(join(system.dataDir, 'connection.json'), 'utf8')) as { pid: number };
    const pids = ['billing', 'payments', 'api-gateway', 'webhooks'].flatMap((service) =>
      pidsOf(service, system.dataDir),
    );
    process.kill(known.pid, 'SIGTERM');
    await eventually(
      'everything has ended',
      async () => [known.pid, ...pids].every((pid) => !isAlive(pid)) || undefined,
    );
  });
});
