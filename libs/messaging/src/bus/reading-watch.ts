import { oldest, type Stall, Trouble } from '../stall.js';

/** A request to a broker that does not answer ends after half of this. */
const SILENCE = { looks: 6, everyMs: 5_000 };

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

  /**
   * Calls `act` when nothing was heard of the member for half a minute, not even that it failed, and again after as long; until what is
   * returned is called. Where one of several brokers ends, kafkajs tries to reach it for minutes, attempts within attempts, before it looks
   * who took its place: no error, no member of the group. One that is made anew asks the others at once.
   */
  onSilence(act: (error: Error) => void): () => void {
    const timer = setInterval(() => {
      if (++this.looks <= SILENCE.looks) return;
      const error = new Error('nothing is heard of this member of the group: it is made anew');
      this.failed(error);
      act(error);
    }, SILENCE.everyMs).unref();
    return () => clearInterval(timer);
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
