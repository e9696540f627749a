import { addDecimal, type Decimal } from '@kontor/money';
import type { TenantTx } from '@kontor/persistence';
import { dayBucket } from '../domain/metrics/calendar-buckets.js';
import { coverPeriod } from '../domain/metrics/cover-period.js';
import { integrateLevels, type LevelPiece } from '../domain/metrics/integrate-levels.js';
import { inOrder, ZERO } from '../domain/metrics/rollup-state.js';
import type { Sample } from '../domain/metrics/sample-event.js';
import { anyDecimal, type Tally } from '../domain/metrics/tally.js';
import { type Ask, samplerOf, tallyOf, type Tallies } from './measure.js';
import { EARLIEST, type EventSpan, readEvents } from './read-events.js';
import { type LevelBucket, readLastLevels, readLevelBuckets, type RollupSpan } from './read-rollups.js';

/** Questions that follow each other without a gap: what one period ends with, the next begins with. */
interface Chain {
  readonly asks: Ask[];
  /** Positions of the asks. */
  readonly of: number[];
  /** Levels of one customer and group. */
  readonly series: Map<string, Series>;
}

interface Series {
  readonly group: string;
  carried: { readonly at: number; readonly id: string; readonly value: Decimal } | null;
  readonly pieces: LevelPiece[];
  readonly samples: Sample[];
}

/** weighted_sum: each level is held until the customer's next event of the group, from earlier periods into the asked one. */
export async function measureLevels(tx: TenantTx, asks: readonly Ask[]): Promise<Tallies[]> {
  const chains = chain(asks);
  await readCarried(tx, chains);
  await readPieces(tx, chains);
  const answers: Tallies[] = asks.map(() => new Map<string, Tally>());
  for (const { asks: periods, of, series } of chains) {
    for (const { group, carried, pieces, samples } of series.values()) {
      const events = samples.map(({ at, number }) => ({ firstAt: at, to: at, integral: ZERO, level: number! }));
      const all = [...pieces, ...events].sort((a, b) => a.firstAt - b.firstAt);
      integrateLevels(periods, all, carried?.value ?? ZERO).forEach((integral, i) => {
        const tally = tallyOf(answers[of[i]!]!, group);
        tally.integral = addDecimal(tally.integral, integral);
        tally.count += 1n;
      });
    }
  }
  return answers;
}

function chain(asks: readonly Ask[]): Chain[] {
  const order = asks.map((ask, i) => ({ ask, i, key: `${ask.metric.id} ${ask.customerId}` }));
  order.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.ask.from - b.ask.from || a.ask.to - b.ask.to));
  const chains: Chain[] = [];
  let last: (typeof order)[number] | undefined;
  for (const one of order) {
    const follows = last?.key === one.key && last.ask.to === one.ask.from && last.ask.from < last.ask.to;
    if (!follows) chains.push({ asks: [], of: [], series: new Map() });
    chains.at(-1)!.asks.push(one.ask);
    chains.at(-1)!.of.push(one.i);
    last = one;
  }
  return chains;
}

function seriesOf({ series }: Chain, customerId: string, group: string): Series {
  const key = customerId + group;
  let found = series.get(key);
  if (!found) series.set(key, (found = { group, carried: null, pieces: [], samples: [] }));
  return found;
}

/** The level at each chain's beginning: of the latest bucket before, or of the latest event since that bucket. */
async function readCarried(tx: TenantTx, chains: readonly Chain[]): Promise<void> {
  const buckets: (RollupSpan & { readonly chain: Chain })[] = [];
  const raw: (EventSpan & { readonly chain: Chain; readonly group: string | null })[] = [];
  for (const one of chains) {
    const { metric, customerId, from } = one.asks[0]!;
    const { eventName, rollupId } = metric;
    const begins = dayBucket(from, metric.bucketZone).from;
    // While rollups are being built, how far back the latest level lies is not known from them.
    const usable = metric.builtFrom === null;
    if (usable) buckets.push({ chain: one, rollupId, width: 'day', customerId, from: EARLIEST, to: begins });
    raw.push({ chain: one, group: null, eventName, customerId, from: usable ? begins : EARLIEST, to: from });
  }
  for (const row of await readLastLevels(tx, buckets)) {
    const { chain: one, customerId } = buckets[row.n]!;
    const { eventName } = one.asks[0]!.metric;
    if (row.stale)
      raw.push({ chain: one, group: row.grp, eventName, customerId: row.customerId ?? customerId, from: row.bucketFrom.getTime(), to: row.bucketTo.getTime() }); // prettier-ignore
    else seriesOf(one, row.customerId, row.grp).carried = { at: row.bucketFrom.getTime(), id: '', value: anyDecimal(row.lastValue) };
  }
  await readEvents(tx, raw, (event) => {
    const { chain: one, group } = raw[event.n]!;
    const sample = samplerOf(one.asks[0]!.metric)(event);
    if (!sample || (group !== null && group !== sample.group)) return;
    const series = seriesOf(one, sample.customerId, sample.group);
    const { carried } = series;
    if (!carried || sample.at > carried.at || (sample.at === carried.at && sample.id > carried.id))
      series.carried = { at: sample.at, id: sample.id, value: sample.number! };
  });
}

async function readPieces(tx: TenantTx, chains: readonly Chain[]): Promise<void> {
  const buckets: (RollupSpan & { readonly chain: Chain })[] = [];
  const raw: (EventSpan & { readonly chain: Chain; readonly group: string | null })[] = [];
  for (const one of chains) {
    for (const { metric, customerId, from, to } of one.asks) {
      const cover = coverPeriod({ from, to }, metric);
      for (const span of cover.rollups) buckets.push({ ...span, chain: one, rollupId: metric.rollupId, customerId });
      for (const span of cover.raw) raw.push({ ...span, chain: one, group: null, eventName: metric.eventName, customerId });
    }
  }
  for (const row of await readLevelBuckets(tx, buckets)) {
    const { chain: one } = buckets[row.n]!;
    const { eventName } = one.asks[0]!.metric;
    if (row.stale)
      raw.push({ chain: one, group: row.grp, eventName, customerId: row.customerId, from: row.bucketFrom.getTime(), to: row.bucketTo.getTime() }); // prettier-ignore
    else seriesOf(one, row.customerId, row.grp).pieces.push(pieceOf(row));
  }
  await readEvents(tx, raw, (event) => {
    const { chain: one, group } = raw[event.n]!;
    const sample = samplerOf(one.asks[0]!.metric)(event);
    if (sample && (group === null || group === sample.group)) seriesOf(one, sample.customerId, sample.group).samples.push(sample);
  });
  for (const { series } of chains) for (const { samples } of series.values()) samples.sort(inOrder);
}

const pieceOf = (row: LevelBucket): LevelPiece => ({
  firstAt: row.firstAt.getTime(),
  to: row.bucketTo.getTime(),
  integral: anyDecimal(row.integral),
  level: anyDecimal(row.lastValue),
});
