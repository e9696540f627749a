/** Real time that stands still until a test moves it. */
export class FixedClock {
  private at: number;

  constructor(now: Date | string = '2026-03-02T09:00:00.000Z') {
    this.at = new Date(now).getTime();
  }

  now(): Date {
    return new Date(this.at);
  }

  set(now: Date | string): void {
    this.at = new Date(now).getTime();
  }

  advance(ms: number): void {
    this.at += ms;
  }
}
