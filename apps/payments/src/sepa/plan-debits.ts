import type { CustomerState, TenantState } from '@kontor/contracts';
import { dayOf, directDebitDay } from '@kontor/kernel';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { lockCustomers } from '../customer-books/lock-customers.js';
import { methods, type PaymentMethod } from '../payment-methods/payment-method.row.js';
import { endToEndIdOf, SEPA_LIMIT_MINOR } from '../domain/sepa/sepa-order.js';
import { type SepaOrder, sepaOrders, WILL_BE_DEBITED } from './sepa-order.row.js';
import { noticeDaysOf, readSellerSettings } from './seller.js';

/** A collection by mandate that is to go to the bank. */
interface PlannedCollection {
  readonly id: string;
  readonly customerId: string;
  readonly intentId: string;
  readonly paymentMethodId: string;
  readonly amountMinor: bigint;
  readonly currencyCode: string;
  /** Null for a top-up. */
  readonly invoiceId: string | null;
  readonly documentNumber: string;
  readonly dueAt: Date;
}

/** A debit waits for its file, or cannot be made. */
export type PlanOutcome =
  | { readonly status: 'pending'; readonly reference: string }
  | { readonly status: 'declined'; readonly reason: string; readonly final: true };

/**
 * Collections by mandate become orders that wait for a file, each with the day on which the account will be debited.
 */
@Injectable()
export class PlanDebits {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  /** By transaction id. Planning one again changes nothing. */
  execute(tenantId: string, now: Date, transactionIds: readonly string[]): Promise<Map<string, PlanOutcome>> {
    return this.database.tenant(tenantId, (tx) => this.executeIn(tx, transactionIds), { now });
  }

  /** Cancels a debit that is in no file yet; false when the bank has it. */
  cancel(tenantId: string, transactionId: string): Promise<boolean> {
    return this.database.tenant(tenantId, async (tx) => {
      await tx.query(
        `UPDATE sepa_order SET status = 'cancelled', status_reason = 'superseded'
          WHERE tenant_id = $1 AND id = $2 AND status = 'waiting'`,
        [tx.tenantId, transactionId],
      );
      const order = await sepaOrders.get(tx, transactionId);
      return order === null || order.status === 'cancelled';
    });
  }

  /** The same in the caller's transaction. */
  async executeIn(tx: TenantTx, ids: readonly string[]): Promise<Map<string, PlanOutcome>> {
    await lockCustomers(
      tx,
      (await this.find(tx, ids)).map((collection) => collection.customerId),
    );
    // Before the lock, other money may have come first.
    const collections = await this.find(tx, ids);
    const facts = await this.load(tx, collections);
    const planned = await sepaOrders.findByIds(tx, ids);
    const outcomes = new Map<string, PlanOutcome>(planned.map((order) => [order.id, pending(order)]));
    const orders: SepaOrder[] = [];
    for (const collection of collections) {
      if (outcomes.has(collection.id)) continue;
      const refusal = refusalOf(collection, facts.methods.get(collection.paymentMethodId), facts.busy);
      if (refusal) {
        outcomes.set(collection.id, { status: 'declined', reason: refusal, final: true });
        continue;
      }
      const order = this.orderOf(tx, collection, facts);
      facts.busy.add(collection.paymentMethodId);
      outcomes.set(collection.id, pending(order));
      orders.push(order);
    }
    await sepaOrders.insert(tx, orders);
    return outcomes;
  }

  private find(tx: TenantTx, ids: readonly string[]): Promise<PlannedCollection[]> {
    return tx.query<PlannedCollection>(
      `SELECT t.id, t.customer_id AS "customerId", t.intent_id AS "intentId", t.payment_method_id AS "paymentMethodId",
        t.amount_minor AS "amountMinor",
         t.currency_code AS "currencyCode", i.invoice_id AS "invoiceId", i.document_number AS "documentNumber",
           i.due_at AS "dueAt"
       FROM payment_transaction t CROSS JOIN LATERAL (
         SELECT invoice_id, document_number, due_at FROM payment_intent
           WHERE tenant_id = $1 AND id = t.intent_id OFFSET 0) i
       WHERE t.tenant_id = $1 AND t.id = ANY ($2::uuid[]) AND t.status = 'pending' ORDER BY t.id`,
      [tx.tenantId, ids],
    );
  }

  private async load(tx: TenantTx, collections: readonly PlannedCollection[]): Promise<Facts> {
    const methodIds = [...new Set(collections.map((collection) => collection.paymentMethodId))];
    const rows = await methods.findByIds(tx, methodIds);
    const busy = await tx.query<{ id: string }>(
      `SELECT DISTINCT payment_method_id AS id FROM sepa_order
        WHERE tenant_id = $1 AND payment_method_id = ANY ($2::uuid[]) AND ${WILL_BE_DEBITED}`,
      [tx.tenantId, methodIds],
    );
    return {
      methods: new Map(rows.map((row) => [row.id, row])),
      busy: new Set(busy.map((row) => row.id)),
      customers: await this.replicas.getMany<CustomerState>(
        tx,
        'customer',
        collections.map((collection) => collection.customerId),
      ),
      settings: await readSellerSettings(this.replicas, tx),
      tenant: await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId),
    };
  }

  private orderOf(tx: TenantTx, collection: PlannedCollection, facts: Facts): SepaOrder {
    const customer = facts.customers.get(collection.customerId);
    const method = facts.methods.get(collection.paymentMethodId);
    const zone = customer?.timeZone ?? facts.tenant?.timeZone ?? 'Europe/Berlin';
    const requestedOn = directDebitDay({
      dueOn: dayOf(collection.dueAt, zone),
      today: dayOf(tx.now, zone),
      noticeDays: noticeDaysOf(facts.settings, customer?.settings ?? {}),
    });
    return {
      id: collection.id,
      kind: 'debit',
      customerId: collection.customerId,
      intentId: collection.intentId,
      paymentMethodId: collection.paymentMethodId,
      amountMinor: collection.amountMinor,
      endToEndId: endToEndIdOf(collection.id),
      remittance: remittanceOf(collection, customer?.language === 'de'),
      requestedOn,
      partyName: method?.details.mandate?.accountHolder ?? '',
      ibanSecret: null,
      bic: method?.details.mandate?.bic ?? null,
      sequenceType: null,
      status: 'waiting',
      statusReason: null,
      fileId: null,
      paymentInformationId: null,
      createdAt: tx.now,
    };
  }
}

interface Facts {
  readonly methods: ReadonlyMap<string, PaymentMethod>;
  /** Methods that have a debit waiting; a mandate for one debit has no second one. */
  readonly busy: Set<string>;
  readonly customers: ReadonlyMap<string, CustomerState>;
  readonly settings: Awaited<ReturnType<typeof readSellerSettings>>;
  readonly tenant: TenantState | null;
}

/** What the payer reads on the statement. */
function remittanceOf({ invoiceId, documentNumber }: PlannedCollection, german: boolean): string {
  if (invoiceId === null) return german ? 'Guthaben aufladen' : 'Wallet top-up';
  return `${german ? 'Rechnung' : 'Invoice'} ${documentNumber}`;
}

const pending = (order: SepaOrder): PlanOutcome => ({ status: 'pending', reference: order.endToEndId });

function refusalOf(
  collection: PlannedCollection,
  method: PaymentMethod | undefined,
  busy: ReadonlySet<string>,
): string | null {
  if (!method || method.deletedAt !== null) return 'payment_method_removed';
  if (!method.enabled) return 'payment_method_disabled';
  if (method.status !== 'active') return method.statusReason ?? `payment_method_${method.status}`;
  if (method.nextSequence === null) return 'mandate_used_up';
  if ((method.nextSequence === 'OOFF' || method.nextSequence === 'FNAL') && busy.has(method.id))
    return 'mandate_used_up';
  if (collection.currencyCode !== 'EUR') return 'currency_not_supported';
  return collection.amountMinor > SEPA_LIMIT_MINOR ? 'amount_too_large' : null;
}
