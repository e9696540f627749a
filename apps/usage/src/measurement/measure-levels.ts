import { DomainError } from '@kontor/kernel';
import { addDecimal, type Decimal } from '@kontor/money';
import type { TenantTx } from '@kontor/persistence';
import { LoopTurn } from '@kontor/service-kit';
import { dayBucket } from '../domain/metrics/calendar-buckets.js';
import { coverPeriod } from '../domain/measurement/cover-period.js';
import { integrateLevels, type LevelPiece } from '../domain/measurement/integrate-levels.js';
import { inOrder, ZERO } from '../domain/rollups/rollup-state.js';
import type { Sample } from '../domain/metrics/sample-event.js';
import { anyDecimal, type Tally } from '../domain/measurement/tally.js';
import {
  type MeasurementLimits,
  type MeasurementQuery,
  samplerOf,
  tallyOf,
  type Tallies,
} from './measurement-query.js';
import { EARLIEST, type EventSpan, readEvents } from '../rollups/read-events.js';
import { type LevelBucket, readLastLevels, readLevelBuckets, type RollupSpan } from './read-rollups.js';

/** Questions that follow each other without a gap: what one period ends with, the next begins with. */
interface Chain {
  readonly queries: MeasurementQuery[];
  /** Positions of the queries. */
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

/**
 * weighted_sum: each level is held until the customer's next event of the group, from earlier periods into the asked
 * one. A level counts in each of the periods, so that few events may be much to reckon: others have their turn meanwhile.
 * @throws DomainError `too_many_groups`
 */
export async function measureLevels(
  tx: TenantTx,
  queries: readonly MeasurementQuery[],
  { heldLevels = Infinity }: MeasurementLimits = {},
): Promise<Tallies[]> {
  const chains = chainsOf(queries);
  await readCarried(tx, chains);
  await readPieces(tx, chains);
  if (chains.reduce((sum, { queries: { length }, series }) => sum + length * series.size, 0) > heldLevels)
    throw new DomainError('too_many_groups', {
      detail: `More than ${heldLevels} levels are held in these parts: ask for a shorter period, larger parts or one customer.`,
    });
  const turn = new LoopTurn();
  const answers: Tallies[] = queries.map(() => new Map<string, Tally>());
  for (const { queries: periods, of, series } of chains) {
    for (const { group, carried, pieces, samples } of series.values()) {
      const events = samples.map(({ at, number }) => ({ firstAt: at, to: at, integral: ZERO, level: number! }));
      const all = [...pieces, ...events].sort((a, b) => a.firstAt - b.firstAt);
      integrateLevels(periods, all, carried?.value ?? ZERO).forEach((integral, i) => {
        const tally = tallyOf(answers[of[i]!]!, group);
        tally.integral = addDecimal(tally.integral, integral);
        tally.count += 1n;
      });
      if (turn.isOver) await turn.pass();
    }
  }
  return answers;
}

function chainsOf(queries: readonly MeasurementQuery[]): Chain[] {
  const order = queries.map((query, i) => ({ query, i, key: `${query.metric.id} ${query.customerId}` }));
  order.sort((a, b) =>
    a.key < b.key ? -1 : a.key > b.key ? 1 : a.query.from - b.query.from || a.query.to - b.query.to,
  );
  const chains: Chain[] = [];
  let last: (typeof order)[number] | undefined;
  for (const entry of order) {
    const follows = last?.key === entry.key && last.query.to === entry.query.from && last.query.from < last.query.to;
    if (!follows) chains.push({ queries: [], of: [], series: new Map() });
    chains.at(-1)!.queries.push(entry.query);
    chains.at(-1)!.of.push(entry.i);
    last = entry;
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
  for (const chain of chains) {
    const { metric, customerId, from } = chain.queries[0]!;
    const { eventName, rollupId } = metric;
    const begins = dayBucket(from, metric.bucketZone).from;
    // While rollups are being built, how far back the latest level lies is not known from them.
    const usable = metric.builtFrom === null;
    if (usable) buckets.push({ chain, rollupId, width: 'day', customerId, from: EARLIEST, to: begins });
    raw.push({ chain, group: null, eventName, customerId, from: usable ? begins : EARLIEST, to: from });
  }
  for (const row of await readLastLevels(tx, buckets)) {
    const { chain, customerId } = buckets[row.n]!;
    const { eventName } = chain.queries[0]!.metric;
    if (row.stale)
      raw.push({
        chain,
        group: row.grp,
        eventName,
        customerId: row.customerId ?? customerId,
        from: row.bucketFrom.getTime(),
        to: row.bucketTo.getTime(),
      });
    else
      seriesOf(chain, row.customerId, row.grp).carried = {
        at: row.bucketFrom.getTime(),
        id: '',
        value: anyDecimal(row.lastValue),
      };
  }
  await readEvents(tx, raw, (event) => {
    const { chain, group } = raw[event.n]!;
    const sample = samplerOf(chain.queries[0]!.metric)(event);
    if (!sample || (group !== null && group !== sample.group)) return;
    const series = seriesOf(chain, sample.customerId, sample.group);
    const { carried } = series;
    if (!carried || sample.at > carried.at || (sample.at === carried.at && sample.id > carried.id))
      series.carried = { at: sample.at, id: sample.id, value: sample.number! };
  });
}

async function readPieces(tx: TenantTx, chains: readonly Chain[]): Promise<void> {
  const buckets: (RollupSpan & { readonly chain: Chain })[] = [];
  const raw: (EventSpan & { readonly chain: Chain; readonly group: string | null })[] = [];
  for (const chain of chains) {
    for (const { metric, customerId, from, to } of chain.queries) {
      const cover = coverPeriod({ from, to }, metric);
      for (const span of cover.rollups) buckets.push({ ...span, chain, rollupId: metric.rollupId, customerId });
      for (const span of cover.raw) raw.push({ ...span, chain, group: null, eventName: metric.eventName, customerId });
    }
  }
  for (const row of await readLevelBuckets(tx, buckets)) {
    const { chain } = buckets[row.n]!;
    const { eventName } = chain.queries[0]!.metric;
    if (row.stale)
      raw.push({
        chain,
        group: row.grp,
        eventName,
        customerId: row.customerId,
        from: row.bucketFrom.getTime(),
        to: row.bucketTo.getTime(),
      });
    else seriesOf(chain, row.customerId, row.grp).pieces.push(pieceOf(row));
  }
  await readEvents(tx, raw, (event) => {
    const { chain, group } = raw[event.n]!;
    const sample = samplerOf(chain.queries[0]!.metric)(event);
    if (sample && (group === null || group === sample.group))
      seriesOf(chain, sample.customerId, sample.group).samples.push(sample);
  });
  for (const { series } of chains) for (const { samples } of series.values()) samples.sort(inOrder);
}

const pieceOf = (row: LevelBucket): LevelPiece => ({
  firstAt: row.firstAt.getTime(),
  to: row.bucketTo.getTime(),
  integral: anyDecimal(row.integral),
  level: anyDecimal(row.lastValue),
});
