/** Something in this process that events wait for. */
export interface Stall {
  /** `consumer`, `relay`, or what a service reads by itself. */
  readonly part: string;
  readonly since: Date;
  /** What went wrong last, for people. */
  readonly error: string;
}

/** What passes sooner is not worth a word: a group that shares its partitions anew, a broker that starts again. */
const LASTING_MS = 10_000;
const NO_ANSWER = 'there is no answer yet';
/** What keeps a transaction from coming to its end is seldom a fault that is reported: a lock, a writer that stands still. */
const NOT_DONE = 'not done yet: see the locks and the open transactions of the database';

export const isLasting = ({ since }: Stall): boolean => Date.now() - since.getTime() >= LASTING_MS;

/** The one that began first. */
export const oldest = (stalls: readonly (Stall | null)[]): Stall | null =>
  stalls.reduce((first, stall) => (stall && (!first || stall.since < first.since) ? stall : first), null);

/** Since when something does not succeed, and why. */
export class Trouble {
  private since: Date | undefined;
  private error: string;

  constructor(
    private readonly part: string,
    private readonly unanswered = NO_ANSWER,
  ) {
    this.error = unanswered;
  }

  /** It is tried: an attempt without an end is trouble, too. */
  tried(): void {
    this.since ??= new Date();
  }

  failed(error: unknown): void {
    this.tried();
    this.error = String(error);
  }

  passed(): void {
    this.since = undefined;
    this.error = this.unanswered;
  }

  stall(): Stall | null {
    return this.since ? { part: this.part, since: this.since, error: this.error } : null;
  }
}

/** Trouble of what the database alone has to do. */
export const troubleOfDatabase = (part: string, what: string): Trouble => new Trouble(part, `${what}: ${NOT_DONE}`);

/** Work that runs beside other of its kind: what does not end keeps events waiting without having failed. */
export class UnderWay {
  private readonly begun = new Set<Trouble>();

  constructor(private readonly part: string) {}

  async watch<T>(what: string, work: () => Promise<T>): Promise<T> {
    const trouble = troubleOfDatabase(this.part, what);
    trouble.tried();
    this.begun.add(trouble);
    try {
      return await work();
    } finally {
      this.begun.delete(trouble);
    }
  }

  stall(): Stall | null {
    return oldest([...this.begun].map((trouble) => trouble.stall()));
  }
}
