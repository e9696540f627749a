import { beforeAll, it } from '@jest/globals';
import { eventually } from '../support/api.js';
import { aCustomer } from '../support/catalogue.js';
import { killService } from '../support/processes.js';
import { describeOnKafka } from '../support/requirements.js';
import { System } from '../support/system.js';
import { everyEventOnce, Senders } from '../support/usage-senders.js';

describeOnKafka('usage ingestion by two replicas', () => {
  let system: System;
  beforeAll(async () => {
    system = await System.sharedStack();
  });

  it('keeps every acknowledged event once, though each is sent to both at once and both are killed', async () => {
    const { api } = await system.sandbox();
    const senders = new Senders(api, (await aCustomer(api)).id, true);
    await eventually('events are acknowledged', async () => senders.acknowledged.size > 1_000);
    killService('usage', system.dataDir);
    await eventually('a batch is not answered', async () => senders.unanswered.length > 0);
    const before = senders.acknowledged.size;
    await eventually('events are acknowledged again', async () => senders.acknowledged.size > before + 500);
    await senders.stop();
    await everyEventOnce(api, senders);
  });
});
