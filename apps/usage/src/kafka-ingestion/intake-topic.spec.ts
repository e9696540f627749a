import { describe, expect, it } from '@jest/globals';
import type { Admin, ITopicConfig } from 'kafkajs';
import { makeIntakeTopic } from './intake-topic.js';

async function madeWith(copies: number | null): Promise<ITopicConfig | undefined> {
  const made: ITopicConfig[] = [];
  const admin = {
    connect: async () => undefined,
    disconnect: async () => undefined,
    listTopics: async () => ['others'],
    createTopics: async ({ topics }: { topics: ITopicConfig[] }) => made.push(...topics),
  };
  await makeIntakeTopic({ admin: () => admin as unknown as Admin }, 'usage.events.in', copies);
  return made[0];
}

describe('the topic of the usage intake', () => {
  it("has as many copies as the services' own topics", async () => {
    const made = await madeWith(3);
    expect(made).toMatchObject({ topic: 'usage.events.in', numPartitions: 12, replicationFactor: 3 });
    expect(made?.configEntries).toContainEqual({ name: 'min.insync.replicas', value: '2' });
  });

  it('keeps messages from when they arrive, whatever time their writer gives them', async () => {
    const made = await madeWith(null);
    expect(made?.configEntries).toContainEqual({ name: 'message.timestamp.type', value: 'LogAppendTime' });
  });

  it('has as many as the brokers give it where nothing is set', async () => {
    expect(await madeWith(null)).not.toHaveProperty('replicationFactor');
  });
});
