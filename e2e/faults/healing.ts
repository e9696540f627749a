import { isLong } from '@kontor/testing';
import type { Fault, Jobs } from './strike.js';

/** What a round takes anyway, to compare the others with. */
const NO_FAULT: Fault = { name: 'nothing', lastsMs: 0, begin: () => undefined, end: () => undefined };

/** Of what a fault costs; the work that it interrupted, and what of it is repeated, comes on top. */
const GOAL_SECONDS = 30;

interface Row {
  readonly fault: string;
  /** Of each job, from the end of the cause to the end of its work. */
  readonly seconds: Readonly<Record<string, number>>;
}

/** One fault after the other, and how long everything took to come through. */
export class Healing {
  private readonly rows: Row[] = [];
  private withoutFault = 0;

  constructor(
    private readonly jobs: Jobs,
    /** Rejects when the system is not as it should be after a round. */
    private readonly isWell: () => Promise<void>,
  ) {}

  /** A round in which nothing fails: before the first fault. */
  async measure(): Promise<void> {
    this.withoutFault = Math.max(this.withoutFault, await this.round(NO_FAULT));
  }

  /**
   * A round with the fault. In `npm run test:long`, which a machine does alone, what is late is tried again beside a round without
   * a fault.
   * @throws Error when anything is lost, doubled, or late again
   */
  async from(fault: Fault): Promise<void> {
    const isLate = this.isLate(await this.round(fault));
    if (!isLate || !isLong) return;
    await this.measure();
    const again = await this.round(fault);
    if (this.isLate(again))
      throw new Error(`${fault.name}: healed after ${again.toFixed(0)} s, twice beyond ${this.limit().toFixed(0)} s`);
  }

  /** All rounds, as a table of seconds. */
  table(): string {
    const jobs = Object.keys(this.rows[0]?.seconds ?? {}).sort();
    const width = Math.max(0, ...this.rows.map(({ fault }) => fault.length));
    const line = (first: string, cells: readonly string[]): string =>
      [first.padEnd(width), ...cells.map((cell, i) => cell.padStart(jobs[i]!.length))].join('  ');
    const lines = this.rows.map(({ fault, seconds }) =>
      line(
        fault,
        jobs.map((job) => seconds[job]!.toFixed(1)),
      ),
    );
    return `Seconds from the end of a fault until all is done\n${[line('', jobs), ...lines].join('\n')}\n`;
  }

  private async round(fault: Fault): Promise<number> {
    const seconds = await this.jobs.through(fault);
    await this.isWell();
    this.rows.push({ fault: fault.name, seconds });
    return Math.max(...Object.values(seconds));
  }

  private isLate(seconds: number): boolean {
    return seconds > this.limit();
  }

  private limit(): number {
    return GOAL_SECONDS + 2 * this.withoutFault;
  }
}
