import { Injectable } from '@nestjs/common';
import type { TenantState } from '@kontor/contracts';
import { DomainError, unknownReference, validationFailed } from '@kontor/kernel';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { featureNotEnabled, ReplicaFreshness } from '@kontor/service-kit';
import * as tables from '../db/tables.js';
import { MAX_LEVELS, refusesParent } from '../domain/customers/hierarchy.js';
import type { CustomerRow, InvoicesTo } from '../db/customer.row.js';
import { type CustomerNotice, lockCustomer, saveCustomer } from './customer-aggregate.js';
import { lockFamily, payerOf, MAX_PAID_FOR, paidFor } from './payers.js';
import { representCustomer } from './represent-customer.js';
import type { CustomerJson } from './customer.schema.js';

export const HIERARCHY_FEATURE = 'customer.hierarchy';

/** Where a customer stands, and who gets its invoices. */
export interface Place {
  readonly parentCustomerId: string | null;
  readonly invoicesTo: InvoicesTo;
}

/**
 * Makes a customer another's child, or a top customer again (without a parent).
 * @throws DomainError `feature_not_enabled` (403), `not_found`, `unknown_reference`, `hierarchy_invalid`
 */
@Injectable()
export class SetParent {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly freshness: ReplicaFreshness,
  ) {}

  async execute(tenantId: string, id: string, place: Place): Promise<CustomerJson> {
    const { json, version } = await this.database.tenant(tenantId, (tx) => this.assign(tx, id, place));
    await this.freshness.copied('customer', tenantId, id, version);
    return json;
  }

  private async assign(tx: TenantTx, id: string, place: Place): Promise<{ json: CustomerJson; version: number }> {
    if (!(await hierarchyEnabled(tx, this.replicas))) throw featureNotEnabled(HIERARCHY_FEATURE);
    // One change of a tenant's hierarchy at a time: two that are allowed alone may close a circle together.
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${HIERARCHY_FEATURE} ${tx.tenantId}`]);
    await lockFamily(tx, [id]);
    const aggregate = await lockCustomer(tx, id);
    const { customer, addresses } = aggregate;
    const before: Place = { parentCustomerId: customer.parentCustomerId, invoicesTo: customer.invoicesTo };
    if (before.parentCustomerId === place.parentCustomerId && before.invoicesTo === place.invoicesTo)
      return { json: representCustomer(customer, addresses), version: customer.version };
    if (place.parentCustomerId !== null) await checkParent(tx, customer, place.parentCustomerId, place.invoicesTo);
    Object.assign(customer, place);
    const json = await saveCustomer(tx, aggregate, noticesOf(before, place));
    if (place.invoicesTo === 'parent') await checkPayer(tx, id);
    return { json, version: customer.version };
  }
}

/** True when the tenant may use parents and children. */
export async function hierarchyEnabled(tx: TenantTx, replicas: Replicas): Promise<boolean> {
  const tenant = await replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
  return tenant?.features.includes(HIERARCHY_FEATURE) ?? false;
}

async function checkParent(
  tx: TenantTx,
  { id, currencyCode }: CustomerRow,
  parentId: string,
  invoicesTo: InvoicesTo,
): Promise<void> {
  // Whoever archives the parent or changes its currency waits, and finds the child then.
  const parent = await tables.customers.get(tx, parentId, { lock: 'share' });
  if (!parent) throw unknownReference('parentCustomerId', 'parent customer');
  if (parent.status === 'STATUS_ARCHIVED')
    throw validationFailed('parentCustomerId', 'The parent customer must not be archived.', 'archived');
  const problem = refusesParent(id, {
    ancestors: await ancestorsOf(tx, parentId),
    childLevels: await levelsBelow(tx, id),
  });
  if (problem) throw new DomainError('hierarchy_invalid', { detail: problem });
  if (invoicesTo === 'parent' && parent.currencyCode !== currencyCode)
    throw validationFailed(
      'invoicesTo',
      `The customer pays in ${currencyCode}, the parent in ${parent.currencyCode}: they cannot share invoices.`,
      'currency_mismatch',
    );
}

/** The one who pays has an account, which is locked whenever something is billed to it, and pays for so many. */
export async function checkPayer(tx: TenantTx, id: string): Promise<void> {
  const payer = await payerOf(tx, id);
  await tx.query(
    `INSERT INTO billing_account (tenant_id, customer_id) VALUES ($1, $2) ON CONFLICT (tenant_id, customer_id) DO NOTHING`,
    [tx.tenantId, payer],
  );
  if ((await paidFor(tx, [payer], MAX_PAID_FOR + 2)).length > MAX_PAID_FOR + 1)
    throw new DomainError('hierarchy_invalid', {
      detail: `A customer gets the invoices of ${MAX_PAID_FOR} others at most.`,
    });
}

/** Ids from the customer itself up to its top; one more than a hierarchy may have ends a circle. */
export async function ancestorsOf(tx: TenantTx, id: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `WITH RECURSIVE line (id, parent, level) AS (
       SELECT id, parent_customer_id, 1 FROM customer WHERE tenant_id = $1 AND id = $2
       UNION ALL
       SELECT c.id, c.parent_customer_id, l.level + 1
       FROM customer c
       JOIN line l ON c.tenant_id = $1 AND c.id = l.parent
       WHERE l.level <= $3
     )
     SELECT id FROM line ORDER BY level`,
    [tx.tenantId, id, MAX_LEVELS],
  );
  return rows.map((row) => row.id);
}

/** Levels of the subtree, the customer's own included. */
export async function levelsBelow(tx: TenantTx, id: string): Promise<number> {
  const [row] = await tx.query<{ levels: number }>(
    `WITH RECURSIVE tree (id, level) AS (
       SELECT id, 1 FROM customer WHERE tenant_id = $1 AND id = $2
       UNION ALL
       SELECT c.id, t.level + 1
       FROM customer c
       JOIN tree t ON c.tenant_id = $1 AND c.parent_customer_id = t.id
       WHERE t.level <= $3
     )
     SELECT max(level) AS levels FROM tree`,
    [tx.tenantId, id, MAX_LEVELS],
  );
  return row?.levels ?? 1;
}

function noticesOf(before: Place, after: Place): CustomerNotice[] {
  const [from, to] = [before.parentCustomerId, after.parentCustomerId];
  const { invoicesTo } = after;
  if (from === to) return [{ type: 'customer.updated', metadata: { changed: ['invoicesTo'], invoicesTo } }];
  return to === null
    ? [{ type: 'customer.parent.removed', metadata: { parentCustomerId: from } }]
    : [
        {
          type: 'customer.parent.assigned',
          metadata: { parentCustomerId: to, formerParentCustomerId: from, invoicesTo },
        },
      ];
}
