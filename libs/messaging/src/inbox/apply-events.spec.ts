import { expect, it } from '@jest/globals';
import type { EventEnvelope } from '@kontor/contracts';
import type { ConsumerHandler } from '../consumer/consumer-handler.js';
import { type MessagingDatabase, silentLogger } from '../ports.js';
import { ApplyEvents } from './apply-events.js';

it('a long page is left where it is when the service stops, and fails, to be delivered again', async () => {
  const applied: string[] = [];
  const handler = {
    consumer: 'notes',
    types: ['notes.note.changed.v1'],
    batch: false,
    invoke: () => Promise.resolve(),
    applyAlone: async ([event]: readonly EventEnvelope[]) => {
      applied.push(event!.aggregateId);
      if (applied.length === 2) apply.stop();
    },
  } as unknown as ConsumerHandler;
  const apply: ApplyEvents = new ApplyEvents({} as MessagingDatabase, [handler], silentLogger);
  const page = ['a', 'b', 'c'].map(
    (aggregateId) =>
      ({
        aggregateId,
        tenantId: 't',
        topic: 'notes.note',
        type: 'notes.note.changed.v1',
        effectiveAt: '2026-01-01T00:00:00.000Z',
      }) as unknown as EventEnvelope,
  );
  await expect(apply.execute(page)).rejects.toThrow('stopping');
  expect(applied).toEqual(['a', 'b']);
});
