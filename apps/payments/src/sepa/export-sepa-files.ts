import type { TenantState } from '@kontor/contracts';
import { addDays, type Day, dayOf, DomainError, earliestDebitDay, newUuid, targetDayFrom } from '@kontor/kernel';
import { BlobStore, Database, Replicas, type TenantTx } from '@kontor/persistence';
import { SecretBox } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { lockCustomers } from '../customer-books/lock-customers.js';
import type { PaymentMethod } from '../payment-methods/payment-method.row.js';
import { saveMethods } from '../payment-methods/default-method.js';
import { loadWaiting, type Waiting } from './load-waiting.js';
import { makeFile } from './make-file.js';
import { representSepaFile } from './represent-sepa-file.js';
import { type SepaFile, sepaFiles } from './sepa-file.row.js';
import { type SepaKind, type SepaOrder, sepaOrders } from './sepa-order.row.js';
import { ownerOf, readSellerSettings } from './seller.js';
import { WaitingDebits } from './waiting-debits.js';
import { WaitingTransfers } from './waiting-transfers.js';

/** Orders of one export; the rest is for the next one. */
const MAX_ORDERS = 10_000;
/** How far ahead banks accept debits; over a weekend or holiday until the next banking day. @see EPC016-06, 4.3.1 */
const AHEAD_DAYS = 14;

export interface ExportRequest {
  /** The last day of execution that is exported; in two weeks unless given. */
  readonly until: Day | null;
  readonly kinds: ReadonlySet<SepaKind>;
}

/**
 * Puts everything that is due into files for the bank: one of debits, one of transfers. Exports of a tenant come one
 * after the other, and an order leaves `waiting` in the transaction that makes its file: it is in exactly one.
 */
@Injectable()
export class ExportSepaFiles {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly secrets: SecretBox,
    private readonly blobs: BlobStore,
    private readonly waitingDebits: WaitingDebits,
    private readonly waitingTransfers: WaitingTransfers,
  ) {}

  /** @throws DomainError `seller_data_incomplete`, `nothing_to_export`. */
  async execute(tenantId: string, request: ExportRequest) {
    const answer = await this.database.tenant(tenantId, async (tx) => {
      await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('sepa-export/' || $1, 0))`, [tx.tenantId]);
      const tenant = await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
      const today = dayOf(tx.now, tenant?.timeZone ?? 'Europe/Berlin');
      const until = request.until ?? targetDayFrom(addDays(today, AHEAD_DAYS));
      const { exported, skipped } = await this.decide(tx, { ...request, until });
      if (exported.length === 0) return { data: [], skipped, until };
      const kinds = new Set(exported.map(({ order }) => order.kind));
      const seller = ownerOf(await readSellerSettings(this.replicas, tx), kinds);
      const earliest = { debit: earliestDebitDay(today), transfer: targetDayFrom(addDays(today, 1)) };
      const files: SepaFile[] = [];
      for (const kind of ['debit', 'transfer'] as const) {
        const ofKind = exported.filter(({ order }) => order.kind === kind);
        if (ofKind.length > 0)
          files.push(await this.write(tx, { kind, waiting: ofKind, earliest: earliest[kind], ...seller }));
      }
      await sepaFiles.insert(tx, files);
      await sepaOrders.save(
        tx,
        exported.map(({ order }) => order),
      );
      await this.noteUse(tx, exported);
      return { data: files.map(representSepaFile), skipped, until };
    });
    // After the commit: that debits were cancelled stands, also when nothing is left to export.
    if (answer.data.length === 0) throw nothingToExport(answer.skipped.length, answer.until);
    return answer;
  }

  /** Locks the customers first, then reads again: who waited for a lock sees what the one before has done. */
  private async lockWaiting(
    tx: TenantTx,
    { until, kinds }: { until: Day; kinds: ReadonlySet<SepaKind> },
  ): Promise<Waiting[]> {
    const seen = await tx.query<{ id: string; customerId: string }>(
      `SELECT id, customer_id AS "customerId" FROM sepa_order
       WHERE tenant_id = $1 AND status = 'waiting' AND requested_on <= $2 AND kind = ANY ($3::text[])
         ORDER BY requested_on, id LIMIT ${MAX_ORDERS}`,
      [tx.tenantId, until, [...kinds]],
    );
    await lockCustomers(
      tx,
      seen.map((row) => row.customerId),
    );
    return loadWaiting(
      tx,
      seen.map((row) => row.id),
    );
  }

  /**
   * Sorts out what was paid meanwhile, and includes the debit, or the pay-out, of its rest; what can no longer be debited has failed.
   * Then each debit gets its sequence.
   */
  private async decide(tx: TenantTx, request: { until: Day; kinds: ReadonlySet<SepaKind> }) {
    const seen = await this.lockWaiting(tx, request);
    const superseded = seen.filter((waiting) => waiting.isSuperseded).map(({ order }) => order);
    const ofKind = (kind: SepaKind): SepaOrder[] => superseded.filter((order) => order.kind === kind);
    await this.waitingDebits.replace(tx, ofKind('debit'));
    await this.waitingTransfers.replace(tx, ofKind('transfer'));
    const exported: Waiting[] = [];
    const declined = new Map<SepaOrder, string>();
    for (const waiting of superseded.length > 0 ? await this.lockWaiting(tx, request) : seen) {
      const decision = waiting.decide();
      if (decision.kind === 'decline') declined.set(waiting.order, decision.reason);
      else exported.push(waiting);
    }
    await this.waitingDebits.decline(tx, declined);
    const skipped = [
      ...[...declined].map(([order, reason]) => ({ transactionId: order.id, reason })),
      ...superseded.map((order) => ({ transactionId: order.id, reason: 'already_paid' })),
    ];
    return { exported, skipped };
  }

  private async write(
    tx: TenantTx,
    input: Omit<Parameters<typeof makeFile>[0], 'id' | 'now' | 'secrets'>,
  ): Promise<SepaFile> {
    const id = newUuid();
    const { xml, file } = makeFile({ ...input, id, now: tx.now, secrets: this.secrets });
    return { ...file, blobKey: await this.blobs.put(Buffer.from(this.secrets.seal(xml, id))) };
  }

  /** The mandates' use: what the next debit is, and that the 36 months begin anew. */
  private async noteUse(tx: TenantTx, exported: readonly Waiting[]): Promise<void> {
    const used = [...new Set(exported.flatMap(({ method }) => method ?? []))];
    if (used.length === 0) return;
    for (const method of used) method.mandateUsedAt = tx.now;
    await tx.query('UPDATE payment_method SET mandate_used_at = $3 WHERE tenant_id = $1 AND id = ANY ($2::uuid[])', [
      tx.tenantId,
      used.map((method) => method.id),
      tx.now,
    ]);
    const changed = [
      ...new Set(exported.flatMap(({ order, method }) => (method && order.sequenceType !== 'RCUR' ? method : []))),
    ];
    for (const method of changed) endWhenUsedUp(method);
    await saveMethods(
      tx,
      changed.map((method) => ({ method, change: 'updated' as const })),
    );
  }
}

function endWhenUsedUp(method: PaymentMethod): void {
  if (method.nextSequence !== null) return;
  method.status = 'expired';
  method.statusReason = 'mandate_used_up';
}

const nothingToExport = (skipped: number, until: Day): DomainError =>
  new DomainError('nothing_to_export', {
    detail:
      skipped > 0
        ? `Nothing is due for the bank until ${until}: ${skipped} debits or transfers were paid otherwise or can no longer be made.`
        : `Nothing is due for the bank until ${until}: no direct debit and no transfer waits for its file.`,
  });
