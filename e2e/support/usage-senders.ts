import { expect } from '@jest/globals';
import type { Api, Json } from './api.js';

const LANES = 6;
const BATCH = 100;

/** Clients that send batches until `stop`, and remember which of them were acknowledged. */
export class Senders {
  readonly acknowledged = new Set<string>();
  /** Sent, and nobody knows what became of them. */
  readonly unanswered: string[][] = [];
  private stopped = false;
  private next = 0;
  private readonly running: Promise<void[]>;

  /** `twice`: every batch is sent by two clients at once, and both may be acknowledged. */
  constructor(
    private readonly api: Api,
    private readonly customerId: string,
    private readonly twice = false,
  ) {
    this.running = Promise.all(Array.from({ length: LANES }, () => this.lane()));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  async send(ids: readonly string[]): Promise<Json> {
    const timestamp = new Date().toISOString();
    const events = ids.map((transactionId) => ({
      transactionId,
      eventName: 'api_call',
      timestamp,
      customerId: this.customerId,
    }));
    const answer = await this.api.post('/api/usage-events', { events });
    if (answer.status !== 202) throw new Error(String(answer.status));
    for (const id of ids) this.acknowledged.add(id);
    return answer.body;
  }

  private async lane(): Promise<void> {
    while (!this.stopped) {
      const batch = this.next++;
      const ids = Array.from({ length: BATCH }, (_, n) => `${batch}-${n}`);
      const sent = await Promise.allSettled(
        this.twice ? [this.send(ids), this.send([...ids].reverse())] : [this.send(ids)],
      );
      if (sent.some(({ status }) => status === 'rejected')) {
        this.unanswered.push(ids);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }
}

/** transactionIds of all events, through the API, page by page. */
async function listed(api: Api): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Json = await api.ok(
      'GET',
      `/api/usage-events?limit=100&sort=createdAt&direction=ASC${cursor ? `&cursor=${cursor}` : ''}`,
    );
    ids.push(...page.data.map((event: { transactionId: string }) => event.transactionId));
    cursor = page.pagination.cursor as string | null;
  }
  return ids;
}

export async function everyEventOnce(api: Api, senders: Senders): Promise<void> {
  const ids = await listed(api);
  const found = new Set(ids);
  expect(ids.length).toBe(found.size);
  expect([...senders.acknowledged].filter((id) => !found.has(id))).toEqual([]);
  expect(senders.unanswered.length).toBeGreaterThan(0);

  // What got no answer is sent again, as a client would: then everything is there, still once.
  for (const unanswered of senders.unanswered) {
    const answer = await senders.send(unanswered);
    const known = unanswered.filter((id) => found.has(id)).length;
    expect(answer).toMatchObject({ duplicates: known, ingested: unanswered.length - known, failed: 0 });
  }
  const all = await listed(api);
  expect(all.length).toBe(new Set(all).size);
  expect(new Set(all)).toEqual(senders.acknowledged);
}
