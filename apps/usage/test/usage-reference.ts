/**
 * An event as the reference knows it; `cents`: the value in hundredths, null for a value that is no number; `text`: as
 * it was sent.
 */
export interface PlainEvent {
  readonly id: string;
  readonly customerId: string;
  readonly at: number;
  readonly cents: number | null;
  readonly text: string;
  readonly kind: string;
  readonly region: string;
}

export interface PlainMetric {
  readonly type: string;
  readonly kinds: readonly string[] | null;
}

/** value in 10^-12, rounded half away from zero. */
const divide = (a: bigint, b: bigint): bigint => {
  const [n, negative] = a < 0n ? [-a, true] : [a, false];
  const q = (2n * n + b) / (2n * b);
  return negative ? -q : q;
};
const text = (pico: bigint): string => {
  const digits = (pico < 0n ? -pico : pico).toString().padStart(13, '0');
  return `${pico < 0n ? '-' : ''}${digits.slice(0, -12)}.${digits.slice(-12)}`.replace(/\.?0+$/, '');
};
const PICO = 1_000_000_000_000n;
const cents = (value: bigint | number): string => text(BigInt(value) * (PICO / 100n));

/** What a spreadsheet would say: all events looked at, one by one, nothing remembered. */
export function plainValue(metric: PlainMetric, events: readonly PlainEvent[], from: number, to: number): string {
  const counted = events
    .filter(
      (event) =>
        (metric.kinds === null || metric.kinds.includes(event.kind)) &&
        (metric.type.startsWith('count') || event.cents !== null),
    )
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  const inside = counted.filter((event) => event.at >= from && event.at < to);
  const values = inside.map((event) => event.cents ?? 0);
  if (metric.type === 'weighted_sum') return plainLevels(counted, from, to);
  if (values.length === 0) return '0';
  const sum = BigInt(values.reduce((a, b) => a + b, 0));
  const sorted = [...values].sort((a, b) => a - b);
  switch (metric.type) {
    case 'count':
      return String(inside.length);
    case 'count_unique':
      return String(new Set(inside.map((event) => event.text)).size);
    case 'sum':
      return cents(sum);
    case 'min':
      return cents(sorted[0]!);
    case 'max':
      return cents(sorted.at(-1)!);
    case 'last_value':
      return cents(values.at(-1)!);
    case 'average':
      return text(divide(sum * (PICO / 100n), BigInt(values.length)));
    case 'percentile':
      return cents(sorted[Math.ceil((90 / 100) * sorted.length) - 1]!);
    default:
      throw new Error(metric.type);
  }
}

/** One level per customer and region, each held until its next event. */
function plainLevels(counted: readonly PlainEvent[], from: number, to: number): string {
  let total = 0n;
  for (const series of new Set(counted.map((event) => `${event.customerId} ${event.region}`))) {
    const levels = counted.filter((event) => `${event.customerId} ${event.region}` === series);
    levels.forEach((event, i) => {
      const until = Math.min(levels[i + 1]?.at ?? to, to);
      const since = Math.max(event.at, from);
      if (until > since) total += BigInt(event.cents!) * BigInt(until - since);
    });
  }
  return text(divide(total * (PICO / 100n), BigInt(to - from)));
}
