import { beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../support/api.js';
import { aCustomer } from '../support/catalogue.js';
import { commandOf, treeOf } from '../support/processes.js';
import { describeOnKafka } from '../support/requirements.js';
import { System } from '../support/system.js';

describeOnKafka('npm run stack, killed', () => {
  let system: System;
  beforeAll(async () => {
    system = await System.sharedStack();
    // An earlier scenario may have killed some of it.
    await eventually('all of it runs', async () => (await system.api.get('/health')).body.status === 'ready');
  });

  it('leaves PostgreSQL alone behind, which the next start takes over, and that goes on', async () => {
    const customer = await aCustomer(system.api);
    const started = treeOf(system.connection.pid).map((pid) => ({ pid, command: commandOf(pid) }));
    const others = started.filter(({ command }) => command !== '' && !/postgres/.test(command));
    for (const part of ['stack/main', 'api-gateway/dist', 'payments/dist', 'kafka.Kafka', 'redis-server'])
      expect(others.filter(({ command }) => command.includes(part))).toHaveLength(1);

    system.kill();
    await eventually('all of them have ended', async () =>
      others.every(({ pid, command }) => commandOf(pid) !== command),
    );
    await system.start();
    const method = await system.api.post('/payment-methods', { gateway: 'bank_transfer', customerId: customer.id });
    expect(method.status).toBe(201);
  });
});
