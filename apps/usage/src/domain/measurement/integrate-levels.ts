import { addDecimal, type Decimal } from '@kontor/money';
import type { Span } from '../metrics/calendar-buckets.js';
import { held, ZERO } from '../rollups/rollup-state.js';

/** A stretch of levels: one event (`to` = `firstAt`), or a bucket with what its events add up to until its end. */
export interface LevelPiece {
  readonly firstAt: number;
  readonly to: number;
  /** Σ level × milliseconds of `[firstAt, to)`. */
  readonly integral: Decimal;
  /** Holds from `to` on. */
  readonly level: Decimal;
}

/**
 * Σ level × milliseconds of contiguous periods. `pieces`: those inside the periods, in order of time, none of them
 * across a boundary. `level` is what is held when the first period begins.
 */
export function integrateLevels(periods: readonly Span[], pieces: readonly LevelPiece[], level: Decimal): Decimal[] {
  let next = 0;
  return periods.map((period) => {
    let at = period.from;
    let integral = ZERO;
    for (let piece = pieces[next]; piece && piece.firstAt < period.to; piece = pieces[++next]) {
      integral = addDecimal(integral, addDecimal(held(level, piece.firstAt - at), piece.integral));
      level = piece.level;
      at = piece.to;
    }
    return addDecimal(integral, held(level, period.to - at));
  });
}
