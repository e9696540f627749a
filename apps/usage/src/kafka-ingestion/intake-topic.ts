import type { Kafka } from 'kafkajs';

const PARTITIONS = 12;

/**
 * Makes the topic where the operator has not: with the partitions that it keeps from then on, and `copies` of each, as the services' own topics
 * have. Null: as many as the brokers give a topic of which nothing is said.
 */
export async function makeIntakeTopic(
  kafka: Pick<Kafka, 'admin'>,
  topic: string,
  copies: number | null,
): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    if ((await admin.listTopics()).includes(topic)) return;
    const configEntries = [
      // Not compressed, so that the limit of a message's size is that of what has to be read.
      { name: 'compression.type', value: 'uncompressed' },
      // By the broker's time: a pipeline stamps what it writes with the time of the event, by which what is late would be deleted unread.
      { name: 'message.timestamp.type', value: 'LogAppendTime' },
      ...(copies !== null && copies > 2 ? [{ name: 'min.insync.replicas', value: '2' }] : []),
    ];
    const made = { topic, numPartitions: PARTITIONS, configEntries };
    await admin.createTopics({
      waitForLeaders: true,
      topics: [copies === null ? made : { ...made, replicationFactor: copies }],
    });
  } catch (error) {
    // Another replica was faster.
    if (!String(error).includes('already exists')) throw error;
  } finally {
    await admin.disconnect();
  }
}
