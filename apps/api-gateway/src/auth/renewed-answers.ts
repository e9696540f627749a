import { ExpiringMap } from './expiring-map.js';

interface Options {
  readonly maxEntries: number;
  /** How long an answer counts, from when it was asked for. */
  readonly lifeMs: number;
  /** Used after so long, it is asked for again, while the one that is there still counts. */
  readonly renewAfterMs: number;
  /** Failures after which the former answer counts no longer. */
  readonly isFinal: (error: unknown) => boolean;
  /** Milliseconds that only go forward. */
  readonly now?: () => number;
}

interface Entry<T> {
  readonly answer: Promise<T>;
  readonly since: number;
  /** It is being asked for. */
  isPending: boolean;
}

/** Answers that count for a short time. What is used all the time is renewed meanwhile, so that nobody waits for it. */
export class RenewedAnswers<T> {
  private readonly entries: ExpiringMap<Entry<T>>;
  private readonly now: () => number;

  constructor(private readonly options: Options) {
    this.now = options.now ?? performance.now.bind(performance);
    this.entries = new ExpiringMap(options.maxEntries, options.lifeMs, this.now);
  }

  get(key: string, ask: () => Promise<T>): Promise<T> | undefined {
    const entry = this.entries.get(key);
    if (entry && !entry.isPending && this.now() - entry.since > this.options.renewAfterMs) {
      entry.isPending = true;
      this.renew(key, ask);
    }
    return entry?.answer;
  }

  /** A failure is kept for those who ask while it is not known, and for nobody else. */
  keep(key: string, answer: Promise<T>): void {
    const entry = { answer, since: this.now(), isPending: true };
    this.entries.set(key, entry);
    answer.then(
      () => (entry.isPending = false),
      () => this.entries.delete(key),
    );
  }

  /** A failure that is not final changes nothing: who asks when the former answer has ended waits for one. */
  private renew(key: string, ask: () => Promise<T>): void {
    const since = this.now();
    const answer = ask();
    answer.then(
      () => this.entries.set(key, { answer, since, isPending: false }, since),
      (error: unknown) => {
        if (this.options.isFinal(error)) this.entries.delete(key);
      },
    );
  }
}
