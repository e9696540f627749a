import { setTimeout as sleep } from 'node:timers/promises';
import { notFound } from '@kontor/kernel';
import { completeDue, Database, type DueBatch, DueHandler, type DueItem, type TenantTx } from '@kontor/persistence';
import { Log } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { recordAudit } from '../audit-log/record-audit.js';
import { type DeletionPart, type TenantDeletionRow, tenantDeletions } from '../db/tenant-deletion.row.js';
import type { DeletionStatus } from '../domain/tenant-deletion.js';
import { nextTermOf } from '../domain/tenant-deletion.js';
import { lockTenant, saveTenant, tenantNotice } from '../published-events.js';
import { DeletionServices } from './deletion-services.js';
import { TENANT_DELETION } from './request-deletion.js';

/** What was on its way when a service said that nothing was left has arrived when all say so once more. */
const ROUNDS = 2;
/** One turn of the work; what takes longer goes on in the next. */
const TURN_MS = 20_000;
const PAUSE_MS = 250;

/** Carries a deletion out, from one status to the next: each part can be repeated, so after a crash it goes on where it was. */
@Injectable()
@DueHandler({ kind: TENANT_DELETION, batchSize: 1, parallel: 4 })
export class DeleteTenant {
  constructor(
    private readonly db: Database,
    private readonly services: DeletionServices,
    private readonly log: Log,
  ) {}

  async handle({ tenantId, items, now, signal }: DueBatch): Promise<void> {
    const [item] = items;
    if (!item) return;
    const row = await this.db.tenant(tenantId, (tx) => tenantDeletions.findOne(tx, {}), { readOnly: true });
    if (!row || row.status === 'completed') return this.end(tenantId, item, now);
    if (row.status === 'closing') {
      await this.services.close(tenantId, true);
      return this.next(tenantId, item, { now, from: ['closing'], to: 'waiting', at: row.eraseAt });
    }
    if (row.status === 'revoking') {
      await this.services.close(tenantId, false);
      return this.reopen(tenantId, item, now);
    }
    if (row.status === 'waiting' && now < row.eraseAt) return this.end(tenantId, item, now, row.eraseAt);
    // From here on nobody takes it back.
    if (row.status === 'waiting' && !(await this.begin(tenantId))) return this.end(tenantId, item, now, now);
    const parts = await this.erase(tenantId, row, signal);
    await this.store(tenantId, item, now, parts);
  }

  /** Asks the services until all have said twice that nothing is left, or the turn is over: then null. */
  private async erase(
    tenantId: string,
    { wholly }: TenantDeletionRow,
    signal: AbortSignal,
  ): Promise<DeletionPart[] | null> {
    const until = performance.now() + TURN_MS;
    for (let rounds = 0; performance.now() < until;) {
      signal.throwIfAborted();
      const parts = await this.services.erase(tenantId, wholly);
      rounds = parts.every(({ done }) => done) ? rounds + 1 : 0;
      if (rounds === ROUNDS) return parts;
      await this.db.tenant(tenantId, (tx) => tenantDeletions.update(tx, { parts }, ['parts']));
      await sleep(PAUSE_MS);
    }
    return null;
  }

  private async store(tenantId: string, item: DueItem, now: Date, parts: DeletionPart[] | null): Promise<void> {
    if (parts === null) return this.end(tenantId, item, now, now);
    const nextTerm = nextTermOf(parts);
    await this.db.tenant(
      tenantId,
      async (tx) => {
        const row = await lockDeletion(tx);
        if (row.erasedAt === null) this.log.info({ tenantId, nextTerm }, 'what may go of a tenant is gone');
        Object.assign(row, { parts, erasedAt: row.erasedAt ?? tx.now });
        if (nextTerm) await keepRest(tx, row);
        else await forget(tx, row);
        await tenantDeletions.update(tx, row);
        await completeDue(tx, TENANT_DELETION, item, nextTerm);
      },
      { now },
    );
  }

  private async begin(tenantId: string): Promise<boolean> {
    return this.db.tenant(tenantId, async (tx) => {
      const row = await lockDeletion(tx);
      if (row.status !== 'waiting') return false;
      row.status = 'erasing';
      await tenantDeletions.update(tx, row);
      return true;
    });
  }

  private async reopen(tenantId: string, item: DueItem, now: Date): Promise<void> {
    await this.db.tenant(
      tenantId,
      async (tx) => {
        const tenant = await lockTenant(tx);
        const row = await lockDeletion(tx);
        tenant.status = row.statusBefore;
        await saveTenant(tx, tenant, [tenantNotice('tenant.deletion.revoked', tenant)]);
        await tenantDeletions.delete(tx, { status: 'revoking' });
        await completeDue(tx, TENANT_DELETION, item);
      },
      { now },
    );
  }

  private async next(
    tenantId: string,
    item: DueItem,
    step: { now: Date; from: DeletionStatus[]; to: DeletionStatus; at: Date },
  ): Promise<void> {
    await this.db.tenant(
      tenantId,
      async (tx) => {
        const row = await lockDeletion(tx);
        if (step.from.includes(row.status)) {
          row.status = step.to;
          await tenantDeletions.update(tx, row);
        }
        await completeDue(tx, TENANT_DELETION, item, step.at);
      },
      { now: step.now },
    );
  }

  private end(tenantId: string, item: DueItem, now: Date, next: Date | null = null): Promise<void> {
    return this.db.tenant(tenantId, (tx) => completeDue(tx, TENANT_DELETION, item, next), { now });
  }
}

async function lockDeletion(tx: TenantTx): Promise<TenantDeletionRow> {
  const row = await tenantDeletions.findOne(tx, {}, { lock: 'update' });
  if (!row) throw notFound('The deletion');
  return row;
}

async function keepRest(tx: TenantTx, row: TenantDeletionRow): Promise<void> {
  if (row.status !== 'kept')
    await recordAudit(tx, {
      type: 'tenant.erased',
      actor: null,
      subject: { kind: 'tenant', id: tx.tenantId, name: null },
    });
  row.status = 'kept';
}

/** Nothing is left: neither is the tenant. */
async function forget(tx: TenantTx, row: TenantDeletionRow): Promise<void> {
  Object.assign(row, { status: 'completed', completedAt: tx.now });
  for (const table of ['sandbox_clock', 'tenant'])
    await tx.query(`DELETE FROM ${table} WHERE tenant_id = $1`, [tx.tenantId]);
}
