/** Where the jobs of a round wait for each other, so that a fault meets all of them in the middle of their work. */
export class Meeting {
  private readonly waiting = { prepared: 0, middle: 0 };
  private readonly gates = { prepared: gate(), middle: gate(), struck: gate() };
  private steps = 0;
  private strikeAt = Infinity;

  constructor(private readonly jobs: number) {}

  /** What the job works on is there. */
  prepared(): Promise<void> {
    return this.meet('prepared');
  }

  /** A part of the work is done, the rest follows. */
  middle(): Promise<void> {
    return this.meet('middle');
  }

  /** Something of the rest is done. */
  step(): void {
    this.steps += 1;
    if (this.steps >= this.strikeAt) this.gates.struck.open();
  }

  /** Resolves when all are in the middle and have gone on for so many steps together. Rejects when one of them failed. */
  async struck(steps: number): Promise<void> {
    await this.gates.middle.passed;
    this.strikeAt = this.steps + steps;
    if (steps === 0) this.gates.struck.open();
    await this.gates.struck.passed;
  }

  /** A job has failed: nobody waits for it. */
  fail(error: unknown): void {
    for (const { refuse } of Object.values(this.gates)) refuse(error);
  }

  private meet(where: 'prepared' | 'middle'): Promise<void> {
    this.waiting[where] += 1;
    if (this.waiting[where] === this.jobs) this.gates[where].open();
    return this.gates[where].passed;
  }
}

function gate(): { passed: Promise<void>; open: () => void; refuse: (error: unknown) => void } {
  let [open, refuse] = [() => {}, (_error: unknown) => {}];
  const passed = new Promise<void>((resolve, reject) => ([open, refuse] = [resolve, reject]));
  passed.catch(() => undefined);
  return { passed, open, refuse };
}
