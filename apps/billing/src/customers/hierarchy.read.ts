import type { TenantTx } from '@kontor/persistence';
import { type ListQuery, page, type Page } from '@kontor/service-kit';
import * as tables from '../db/tables.js';
import { MAX_LEVELS } from '../domain/customers/hierarchy.js';
import { representCustomers } from './customer.read.js';
import type { CustomerJson, HierarchyNode } from './customer.schema.js';
import { ancestorsOf } from './set-parent.js';

/** The direct children of a customer, by number. */
export async function listChildren(tx: TenantTx, parentId: string, list: ListQuery): Promise<Page<CustomerJson>> {
  const children = { parentCustomerId: parentId };
  const total = await tables.customers.count(tx, children);
  const offset = (list.page - 1) * list.limit;
  const rows = await tables.customers.find(tx, children, {
    orderBy: { customerNumber: 'asc' },
    limit: list.limit,
    offset,
  });
  return page(await representCustomers(tx, rows), total, list);
}

/** The whole tree that a customer belongs to, from its top (level 1), parents before their children. */
export async function listHierarchy(tx: TenantTx, id: string, list: ListQuery): Promise<Page<HierarchyNode>> {
  const top = (await ancestorsOf(tx, id)).at(-1) ?? id;
  const nodes = await tx.query<{ id: string; level: number }>(
    `WITH RECURSIVE tree (id, level, path) AS (
       SELECT id, 1, ARRAY[customer_number] FROM customer WHERE tenant_id = $1 AND id = $2
       UNION ALL
       SELECT c.id, t.level + 1, t.path || c.customer_number
       FROM customer c
       JOIN tree t ON c.tenant_id = $1 AND c.parent_customer_id = t.id
       WHERE t.level < $3
     )
     SELECT id, level FROM tree ORDER BY path`,
    [tx.tenantId, top, MAX_LEVELS],
  );
  const shown = nodes.slice((list.page - 1) * list.limit, list.page * list.limit);
  const rows = await tables.customers.findByIds(
    tx,
    shown.map((node) => node.id),
  );
  const byId = new Map((await representCustomers(tx, rows)).map((json) => [json.id, json]));
  const items = shown.flatMap(({ id: nodeId, level }) => {
    const customer = byId.get(nodeId);
    return customer ? [{ ...customer, level }] : [];
  });
  return page(items, nodes.length, list);
}
