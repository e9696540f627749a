/** So many requests in a row without an answer: the next ones would only wait, too. */
const MAX_UNANSWERED = 8;
/** How long nothing is asked then; afterwards one more without an answer is enough. */
const PAUSE_MS = 30_000;

interface Unanswered {
  unanswered: number;
  /** Nothing is asked before, in milliseconds of a clock that only advances. */
  until: number;
}

/**
 * Providers that accept requests and do not answer them. Each request waits for its time-out, and behind it what other tenants, and
 * other providers, are to be asked for.
 */
export class UnavailableProviders {
  private readonly byOrigin = new Map<string, Unanswered>();

  isUnavailable(origin: string, now: number): boolean {
    const known = this.byOrigin.get(origin);
    return known !== undefined && now < known.until;
  }

  answered(origin: string): void {
    this.byOrigin.delete(origin);
  }

  timedOut(origin: string, now: number): void {
    const unanswered = (this.byOrigin.get(origin)?.unanswered ?? 0) + 1;
    this.byOrigin.set(origin, { unanswered, until: unanswered < MAX_UNANSWERED ? now : now + PAUSE_MS });
  }
}
