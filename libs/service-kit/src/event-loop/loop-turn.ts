import { setImmediate as othersTurn } from 'node:timers/promises';

/** So long one piece of work has the event loop before others have their turn. */
const TURN_MS = 20;

/** Those who have had their turn, one after the other: of all long work, one piece between two looks at what else is there. */
let last: Promise<void> = Promise.resolve();

/** A turn on the event loop. */
export class LoopTurn {
  private since = performance.now();

  get isOver(): boolean {
    return performance.now() - this.since >= TURN_MS;
  }

  /** Others go first; then the next turn begins. */
  async pass(): Promise<void> {
    await (last = last.then(() => othersTurn()));
    this.since = performance.now();
  }
}

/** Does work that yields wherever it may be interrupted. */
export async function inTurns<Result>(work: Generator<void, Result>): Promise<Result> {
  const turn = new LoopTurn();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (turn.isOver) await turn.pass();
  }
}

/** Does something for one item after the other; between them others have their turn. */
export async function eachInTurn<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
  const turn = new LoopTurn();
  for (const item of items) {
    if (turn.isOver) await turn.pass();
    work(item);
  }
}
