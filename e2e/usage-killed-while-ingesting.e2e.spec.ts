import { beforeAll, describe, it } from '@jest/globals';
import { eventually } from './support/api.js';
import { aCustomer } from './support/catalogue.js';
import { System } from './support/system.js';
import { everyEventOnce, Senders } from './support/usage-senders.js';

describe('usage ingestion in one process', () => {
  let system: System;
  beforeAll(async () => {
    system = await System.sharedToBeKilled();
  });

  it('keeps every acknowledged event once when it is killed', async () => {
    const { api } = await system.sandbox();
    const senders = new Senders(api, (await aCustomer(api)).id);
    await eventually('events are acknowledged', async () => senders.acknowledged.size > 1_000);
    system.kill();
    await eventually('a batch is not answered', async () => senders.unanswered.length > 0);
    await senders.stop();
    await system.start();
    await everyEventOnce(api, senders);
  });
});
