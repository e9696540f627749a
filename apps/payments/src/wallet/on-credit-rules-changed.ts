import { customerChangedV1, type EventOf, settingsChangedV1, tenantChangedV1 } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import { Replicas, scheduleDueMany, type TenantTx } from '@kontor/persistence';
import { readCreditRules } from '../customer-books/read-credit-rules.js';
import { APPLY_CREDIT } from '../due-kinds.js';

type Change = EventOf<typeof tenantChangedV1> | EventOf<typeof settingsChangedV1> | EventOf<typeof customerChangedV1>;

const KINDS: Readonly<Record<string, string>> = {
  [tenantChangedV1.type]: 'tenant',
  [settingsChangedV1.type]: 'settings',
  [customerChangedV1.type]: 'customer',
};

/**
 * A feature, a setting or a customer's override changed: where credit may now pay open invoices by itself, it is due.
 */
@EventConsumer()
export class OnCreditRulesChanged {
  constructor(private readonly replicas: Replicas) {}

  @Consume([tenantChangedV1, settingsChangedV1, customerChangedV1], { batch: true })
  async handle(events: Change[], tx: TenantTx): Promise<void> {
    const onlyCustomers = events.every((event) => event.type === customerChangedV1.type);
    const waiting = await this.customersWithCreditAndDebt(
      tx,
      onlyCustomers ? events.map((event) => event.payload.id) : null,
    );
    if (waiting.length === 0) return;
    // This consumer and the one that keeps the copies run independently: the rules are read in at least these versions.
    for (const event of events) {
      const { id, version, deleted, state } = event.payload;
      await this.replicas.apply(tx, KINDS[event.type] as string, id, version, state, deleted);
    }
    const rules = await readCreditRules(this.replicas, tx, waiting);
    const due = waiting.filter((customerId) => rules.get(customerId)?.applyAutomatically);
    await scheduleDueMany(
      tx,
      due.map((ref) => ({ kind: APPLY_CREDIT, ref, dueAt: tx.now })),
    );
  }

  /** `customerIds` null: of all customers. */
  private async customersWithCreditAndDebt(tx: TenantTx, customerIds: readonly string[] | null): Promise<string[]> {
    const rows = await tx.query<{ customerId: string }>(
      `SELECT DISTINCT w.customer_id AS "customerId" FROM wallet w
       WHERE w.tenant_id = $1 AND ($2::uuid[] IS NULL OR w.customer_id = ANY ($2::uuid[])) AND w.balance_minor > 0
         AND EXISTS (
         SELECT 1 FROM payment_intent i WHERE i.tenant_id = $1 AND i.customer_id = w.customer_id
           AND i.currency_code = w.currency_code
           AND i.status IN ('open', 'processing', 'failed') AND i.open_minor > i.pending_minor - i.payer_minor)`,
      [tx.tenantId, customerIds],
    );
    return rows.map((row) => row.customerId);
  }
}
