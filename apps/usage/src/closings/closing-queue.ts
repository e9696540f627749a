import { EventEmitter, once } from 'node:events';
import { Database, requestScope, type TenantTx } from '@kontor/persistence';
import { Log } from '@kontor/service-kit';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { formerAmounts } from './former-amounts.js';
import { MeasureClosings } from './measure-closings.js';
import { stillExact } from './still-exact.js';
import { usageClosings } from './usage-closing.row.js';

/** Most periods of one transaction. */
const MAX_PERIODS = 500;
/** After so long a portion is committed with what it has. */
const PORTION_MS = 400;
/** A customer whose events take minutes leaves one to the others. */
const LANES = 2;

/**
 * Freezes the amounts of periods that were written down. What rollups answer is there at once. What needs single events
 * is measured portion by portion, each a transaction: what is measured stays measured, and goes on when nobody waits
 * for it any more.
 */
@Injectable()
export class ClosingQueue implements OnModuleDestroy {
  /** Tenants of the closings that wait, and those of the closings at work. */
  private readonly waiting = new Map<string, string>();
  private readonly measuring = new Set<string>();
  private lanes = 0;
  private portion = MAX_PERIODS;
  private readonly progress = new EventEmitter().setMaxListeners(0);

  constructor(
    private readonly database: Database,
    private readonly measure: MeasureClosings,
    private readonly log: Log,
  ) {}

  /** Measures these closings, as far as it comes in `patienceMs`; the rest afterwards. */
  async execute(tenantId: string, ids: readonly string[], patienceMs: number): Promise<void> {
    const signal = AbortSignal.timeout(patienceMs);
    const left = await this.database.tenant(tenantId, (tx) => this.freeze(tx, ids, 0));
    for (const id of left) if (!this.measuring.has(id)) this.waiting.set(id, tenantId);
    for (; this.lanes < LANES && this.lanes < this.waiting.size; this.lanes++)
      void requestScope.exit(() => this.work());
    const isOpen = (id: string): boolean => this.waiting.has(id) || this.measuring.has(id);
    while (ids.some(isOpen) && !signal.aborted) await once(this.progress, 'portion', { signal }).catch(() => undefined);
  }

  onModuleDestroy(): void {
    this.waiting.clear();
  }

  private async work(): Promise<void> {
    while (this.waiting.size > 0) {
      const [[, tenantId]] = [...this.waiting] as [[string, string]];
      const ids = [...this.waiting]
        .filter(([, tenant]) => tenant === tenantId)
        .map(([id]) => id)
        .slice(0, this.portion);
      for (const id of ids) if (this.waiting.delete(id)) this.measuring.add(id);
      const again = await this.portionOf(tenantId, ids);
      for (const id of ids) this.measuring.delete(id);
      // Behind what others wait for.
      for (const id of again) this.waiting.set(id, tenantId);
      this.progress.emit('portion');
    }
    this.lanes--;
  }

  /** Returns those that have to be tried again. */
  private async portionOf(tenantId: string, ids: readonly string[]): Promise<Iterable<string>> {
    try {
      const left = await this.database.tenant(tenantId, (tx) => this.freeze(tx, ids, PORTION_MS));
      this.portion = Math.min(MAX_PERIODS, this.portion * 2);
      return left;
    } catch (error) {
      // One by one it turns out whose fault it is. That one is left to whoever asks for it again.
      this.portion = 1;
      if (ids.length > 1) return ids;
      this.log.warn({ err: error, tenantId, closingId: ids[0] }, 'a closing could not be measured');
      return [];
    }
  }

  /** Returns those that there was no time for. */
  private async freeze(tx: TenantTx, ids: readonly string[], patienceMs: number): Promise<Set<string>> {
    // Locked ones are being measured already.
    const open = await usageClosings.where(
      tx,
      'id = ANY($2::uuid[]) AND value IS NULL ORDER BY id FOR UPDATE SKIP LOCKED',
      [ids],
    );
    const measured = await this.measure.execute(tx, open, patienceMs);
    const exact = await stillExact(tx, open);
    // What was billed is not corrected by what was removed since.
    const former = await formerAmounts(
      tx,
      open.filter(({ id }) => !exact.has(id)),
    );
    const frozen = open.flatMap((closing) => {
      const usage = measured.get(closing.id);
      if (!usage) return [];
      const groups = usage.groups.map(({ group, value }) => ({ group, quantity: value }));
      return [{ ...closing, value: usage.value, groups, ...former.get(closing.id), measuredAt: tx.now }];
    });
    await usageClosings.update(tx, frozen, ['value', 'groups', 'measuredAt']);
    return new Set(open.map(({ id }) => id).filter((id) => !measured.has(id)));
  }
}
