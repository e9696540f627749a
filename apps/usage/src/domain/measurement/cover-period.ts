import { dayBucket, hourBucket, type Span } from '../metrics/calendar-buckets.js';

/** Where the parts of a period are read: whole buckets from rollups, the rest from the events themselves. */
export interface Cover {
  readonly rollups: readonly (Span & { readonly width: 'day' | 'hour' })[];
  readonly raw: readonly Span[];
}

export interface Rollups {
  readonly rollup: 'day' | 'hour';
  readonly bucketZone: string;
  /** While rollups are being built: buckets that begin after this instant are complete. */
  readonly builtFrom: number | null;
}

/** Tiles `[from, to)` without gap or overlap. */
export function coverPeriod(span: Span, { rollup, bucketZone, builtFrom }: Rollups): Cover {
  if (span.from >= span.to) return { rollups: [], raw: [] };
  const [before, days, after] = wholeBuckets(span, builtFrom, (at) => dayBucket(at, bucketZone));
  const edges = [before, after].filter(isSpan);
  const rollups: Cover['rollups'][number][] = isSpan(days) ? [{ ...days, width: 'day' }] : [];
  if (rollup === 'day') return { rollups, raw: edges };
  const raw: Span[] = [];
  for (const edge of edges) {
    const [left, hours, right] = wholeBuckets(edge, builtFrom, hourBucket);
    if (isSpan(hours)) rollups.push({ ...hours, width: 'hour' });
    raw.push(...[left, right].filter(isSpan));
  }
  return { rollups, raw };
}

const isSpan = (span: Span): boolean => span.from < span.to;

/** Before, within and after the complete buckets of a span; without any, all of it is "before". */
function wholeBuckets(span: Span, builtFrom: number | null, bucketOf: (at: number) => Span): [Span, Span, Span] {
  const start = (at: number): number => {
    const bucket = bucketOf(at);
    return bucket.from === at ? at : bucket.to;
  };
  let lo = start(span.from);
  // An event at the very instant may be on either side of what is built, so its bucket is not complete.
  if (builtFrom !== null && lo <= builtFrom) lo = bucketOf(builtFrom).to;
  const hi = bucketOf(span.to).from;
  if (lo >= hi) return [span, { from: span.to, to: span.to }, { from: span.to, to: span.to }];
  return [
    { from: span.from, to: lo },
    { from: lo, to: hi },
    { from: hi, to: span.to },
  ];
}
