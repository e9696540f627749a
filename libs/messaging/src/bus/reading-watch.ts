import { oldest, type Stall, Trouble } from '../stall.js';

/**
 * Whether a member of a consumer group reads. kafkajs sends its heartbeats between fetches that went well, and while events are applied:
 * they end with whatever keeps a member from reading (no broker, no place in the group, a topic that is missing or forbidden, a fetch
 * without an answer), whatever it says of that. Lanes that fail are known one by one.
 */
export class ReadingWatch {
  private readonly member: Trouble;
  private readonly lanes = new Map<string, Trouble>();
  private looks = 0;

  constructor(private readonly part = 'consumer') {
    this.member = new Trouble(part);
    this.member.tried();
  }

  /** A heartbeat was answered: until the next one the member is on trial again. */
  beat(): void {
    this.looks = 0;
    this.member.passed();
    this.member.tried();
  }

  failed(error: unknown): void {
    this.looks = 0;
    this.member.failed(error);
  }

  /** Lanes may be others' from here on. */
  joined(): void {
    this.looks = 0;
    this.lanes.clear();
  }

  /** Asked in equal steps: whether nothing was heard of the member, not even that it failed, since it was asked so many times before. */
  isUnheard(times: number): boolean {
    return ++this.looks > times;
  }

  laneFailed(lane: string, error: unknown): void {
    const trouble = this.lanes.get(lane) ?? new Trouble(this.part);
    this.lanes.set(lane, trouble);
    trouble.failed(`${lane}: ${String(error)}`);
  }

  laneGoesOn(lane: string): void {
    this.lanes.delete(lane);
  }

  stall(): Stall | null {
    return oldest([this.member.stall(), ...[...this.lanes.values()].map((trouble) => trouble.stall())]);
  }
}
