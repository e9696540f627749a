import type { Database } from '@kontor/persistence';
import type { Log } from '@kontor/service-kit';
import type { EachBatchPayload, Kafka } from 'kafkajs';

type Batch = EachBatchPayload['batch'];

/**
 * Kafka goes on at the first message that it has, without a word, where the one that it is asked for was deleted before it was read: by a
 * retention that is too short, or while this service was away for longer. Whose usage that was nobody can say any more; that it is missing is
 * kept where refused messages are.
 */
export class DeletedMessages {
  constructor(
    private readonly kafka: Kafka,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** Looks whether what lies between `position`, which is stored, and this batch was deleted. */
  async note(batch: Batch, position: bigint): Promise<void> {
    const { topic, partition } = batch;
    // What was asked for. Messages may begin later: places of transactions, and what compaction removed, are none.
    const { fetchedOffset } = batch as Batch & { readonly fetchedOffset: string };
    if (BigInt(fetchedOffset) <= position) return;
    const first = await this.firstOf(topic, partition);
    if (first <= position) return;
    const count = first - position;
    // Who has read nothing of the partition yet begins where it begins.
    const noted = await this.database.system((sql) =>
      sql.query(
        `INSERT INTO usage_intake_parked (topic, partition, "offset", code, message, value)
         SELECT topic, partition, next_offset, 'deleted_unread', $4, ''
         FROM usage_intake_offset WHERE topic = $1 AND partition = $2 AND next_offset = $3
         ON CONFLICT DO NOTHING RETURNING "offset"`,
        [topic, partition, position, `Kafka deleted up to ${count} messages from here on before they were read.`],
      ),
    );
    if (noted.length > 0)
      this.log.error(
        { topic, partition, from: position.toString(), to: first.toString() },
        'Kafka deleted messages of the usage intake before they were read: its retention is too short',
      );
  }

  private async firstOf(topic: string, partition: number): Promise<bigint> {
    const admin = this.kafka.admin();
    await admin.connect();
    try {
      const partitions = await admin.fetchTopicOffsets(topic);
      return BigInt(partitions.find((each) => each.partition === partition)?.low ?? 0);
    } finally {
      await admin.disconnect();
    }
  }
}
