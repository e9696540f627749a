import { Injectable } from '@nestjs/common';
import type { TenantState } from '@kontor/contracts';
import { DomainError, unknownReference, validationFailed } from '@kontor/kernel';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { featureNotEnabled, ReplicaFreshness } from '@kontor/service-kit';
import { CustomerRow } from '../db/customer.row.js';
import { MAX_LEVELS, refusesParent } from '../domain/customers/hierarchy.js';
import { type CustomerNotice, lockCustomer, saveCustomer } from './customer-aggregate.js';
import { type CustomerJson, representCustomer } from './represent-customer.js';

export const HIERARCHY_FEATURE = 'customer.hierarchy';

/**
 * Makes a customer another's child, or a top customer again (`parentId` null).
 * @throws DomainError `feature_not_enabled` (403), `not_found`, `unknown_reference`, `hierarchy_invalid`
 */
@Injectable()
export class SetParent {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly freshness: ReplicaFreshness,
  ) {}

  async execute(tenantId: string, id: string, parentId: string | null): Promise<CustomerJson> {
    const { json, version } = await this.database.tenant(tenantId, (tx) => this.assign(tx, id, parentId));
    await this.freshness.copied('customer', tenantId, id, version);
    return json;
  }

  private async assign(tx: TenantTx, id: string, parentId: string | null): Promise<{ json: CustomerJson; version: number }> {
    if (!(await hierarchyEnabled(tx, this.replicas))) throw featureNotEnabled(HIERARCHY_FEATURE);
    // One change of a tenant's hierarchy at a time: two that are allowed alone may close a circle together.
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${HIERARCHY_FEATURE} ${tx.tenantId}`]);
    const aggregate = await lockCustomer(tx, id);
    const { customer, addresses } = aggregate;
    if (customer.parentCustomerId === parentId) return { json: representCustomer(customer, addresses), version: customer.version };
    if (parentId !== null) await checkParent(tx, id, parentId);
    const from = customer.parentCustomerId;
    customer.parentCustomerId = parentId;
    const json = await saveCustomer(tx, aggregate, [noticeOf(from, parentId)]);
    return { json, version: customer.version };
  }
}

/** True when the tenant may use parents and children. */
export async function hierarchyEnabled(tx: TenantTx, replicas: Replicas): Promise<boolean> {
  const tenant = await replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
  return tenant?.features.includes(HIERARCHY_FEATURE) ?? false;
}

async function checkParent(tx: TenantTx, id: string, parentId: string): Promise<void> {
  const parent = await tx.manager.findOneBy(CustomerRow, { tenantId: tx.tenantId, id: parentId });
  if (!parent) throw unknownReference('parentCustomerId', 'parent customer');
  if (parent.status === 'STATUS_ARCHIVED') throw validationFailed('parentCustomerId', 'The parent customer is archived.', 'archived');
  const problem = refusesParent(id, { ancestors: await ancestorsOf(tx, parentId), childLevels: await levelsBelow(tx, id) });
  if (problem) throw new DomainError('hierarchy_invalid', { detail: problem });
}

/** Ids from the customer itself up to its top; one more than a hierarchy may have ends a circle. */
export async function ancestorsOf(tx: TenantTx, id: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `with recursive line (id, parent, level) as (
       select id, parent_customer_id, 1 from customer where tenant_id = $1 and id = $2
       union all
       select c.id, c.parent_customer_id, l.level + 1 from customer c join line l on c.tenant_id = $1 and c.id = l.parent where l.level <= $3
     ) select id from line order by level`,
    [tx.tenantId, id, MAX_LEVELS],
  );
  return rows.map((row) => row.id);
}

/** Levels of the subtree, the customer's own included. */
async function levelsBelow(tx: TenantTx, id: string): Promise<number> {
  const [row] = await tx.query<{ levels: number }>(
    `with recursive tree (id, level) as (
       select id, 1 from customer where tenant_id = $1 and id = $2
       union all
       select c.id, t.level + 1 from customer c join tree t on c.tenant_id = $1 and c.parent_customer_id = t.id where t.level <= $3
     ) select max(level) as levels from tree`,
    [tx.tenantId, id, MAX_LEVELS],
  );
  return row?.levels ?? 1;
}

const noticeOf = (from: string | null, to: string | null): CustomerNotice =>
  to === null
    ? { type: 'customer.parent.removed', metadata: { parentCustomerId: from } }
    : { type: 'customer.parent.assigned', metadata: { parentCustomerId: to, formerParentCustomerId: from } };
