import { REPLICAS } from '@kontor/contracts';
import type { Admin, Kafka } from 'kafkajs';

const { topic: TOPIC } = REPLICAS.customer.event;
/** Reads the owner's events into this service's copies. */
const COPIER = 'usage';

interface End {
  readonly partition: number;
  readonly high: string;
}

/**
 * Customers may be unknown only because what their owner said of them is still to be read: after this service was away, its copies
 * and the intake catch up beside each other.
 */
export class CustomersOnTheirWay {
  /** By partition of the intake: how far the owner's events reached when a customer there was not known. */
  private readonly ends = new Map<number, readonly End[]>();

  constructor(private readonly kafka: Kafka) {}

  /** Whether all that the owner had said when this was asked first for what lies next in `partition` is copied by now. */
  async haveCome(partition: number): Promise<boolean> {
    const admin = this.kafka.admin();
    await admin.connect();
    try {
      const present = await endsOf(admin);
      const noted = this.ends.get(partition);
      // A topic that was lost and made anew is shorter: where the one before it ended says nothing any more.
      const ends = noted && noted.every((end) => reaches(present, end)) ? noted : present;
      if (ends.length === 0) return true;
      this.ends.set(partition, ends);
      const [read] = await admin.fetchOffsets({ groupId: COPIER, topics: [TOPIC] });
      const next = new Map(read?.partitions.map(({ partition: of, offset }) => [of, BigInt(offset)]));
      const isBehind = ({ partition: of, high }: End): boolean => (next.get(of) ?? -1n) < BigInt(high);
      if (ends.some(isBehind)) return false;
      this.ends.delete(partition);
      return true;
    } finally {
      await admin.disconnect();
    }
  }
}

const reaches = (ends: readonly End[], { partition, high }: End): boolean =>
  ends.some((end) => end.partition === partition && BigInt(end.high) >= BigInt(high));

/** Where something was said. */
async function endsOf(admin: Admin): Promise<readonly End[]> {
  const isThere = (await admin.listTopics()).includes(TOPIC);
  const ends = isThere ? await admin.fetchTopicOffsets(TOPIC) : [];
  return ends.filter(({ low, high }) => low !== high);
}
