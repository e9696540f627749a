import { DomainError } from '@kontor/kernel';

/** So many lines a preview rates at most: what it shows may lie far ahead. */
const MOST_PREVIEWED = 5_000;

/** Counts the lines of a preview. */
export class PreviewedLines {
  private count = 0;

  /** @throws DomainError 422 `too_many_periods` */
  add(): void {
    if (++this.count <= MOST_PREVIEWED) return;
    throw new DomainError('too_many_periods', {
      detail: `More than ${MOST_PREVIEWED} lines fall due until that day: choose an earlier one.`,
    });
  }
}
