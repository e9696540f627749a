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

export const isLasting = ({ since }: Stall): boolean => Date.now() - since.getTime() >= LASTING_MS;

/** The one that began first. */
export const oldest = (stalls: readonly (Stall | null)[]): Stall | null =>
  stalls.reduce((first, stall) => (stall && (!first || stall.since < first.since) ? stall : first), null);

/** Since when something does not succeed, and why. */
export class Trouble {
  private since: Date | undefined;
  private error = NO_ANSWER;

  constructor(private readonly part: string) {}

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
    this.error = NO_ANSWER;
  }

  stall(): Stall | null {
    return this.since ? { part: this.part, since: this.since, error: this.error } : null;
  }
}
