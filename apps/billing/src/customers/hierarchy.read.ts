import type { TenantTx } from '@kontor/persistence';
import { type ListQuery, page, type Page } from '@kontor/service-kit';
import { In } from 'typeorm';
import { CustomerRow } from '../db/customer.row.js';
import { MAX_LEVELS } from '../domain/customers/hierarchy.js';
import { representCustomers } from './customer.read.js';
import type { CustomerJson } from './represent-customer.js';
import { ancestorsOf } from './set-parent.js';

/** The direct children of a customer, by number. */
export async function listChildren(tx: TenantTx, parentId: string, list: ListQuery): Promise<Page<CustomerJson>> {
  const where = { tenantId: tx.tenantId, parentCustomerId: parentId };
  const total = await tx.manager.countBy(CustomerRow, where);
  const offset = (list.page - 1) * list.limit;
  const rows =
    list.limit === 0 ? [] : await tx.manager.find(CustomerRow, { where, order: { customerNumber: 'ASC' }, skip: offset, take: list.limit });
  return page(await representCustomers(tx, rows), total, list);
}

export type HierarchyNode = CustomerJson & { level: number };

/** The whole tree that a customer belongs to, from its top (level 1), parents before their children. */
export async function listHierarchy(tx: TenantTx, id: string, list: ListQuery): Promise<Page<HierarchyNode>> {
  const top = (await ancestorsOf(tx, id)).at(-1) ?? id;
  const nodes = await tx.query<{ id: string; level: number }>(
    `with recursive tree (id, level, path) as (
       select id, 1, array[customer_number] from customer where tenant_id = $1 and id = $2
       union all
       select c.id, t.level + 1, t.path || c.customer_number
         from customer c join tree t on c.tenant_id = $1 and c.parent_customer_id = t.id where t.level < $3
     ) select id, level from tree order by path`,
    [tx.tenantId, top, MAX_LEVELS],
  );
  const shown = nodes.slice((list.page - 1) * list.limit, list.page * list.limit);
  const rows =
    shown.length === 0 ? [] : await tx.manager.findBy(CustomerRow, { tenantId: tx.tenantId, id: In(shown.map((node) => node.id)) });
  const byId = new Map((await representCustomers(tx, rows)).map((json) => [json.id, json]));
  const items = shown.flatMap(({ id: nodeId, level }) => {
    const customer = byId.get(nodeId);
    return customer ? [{ ...customer, level }] : [];
  });
  return page(items, nodes.length, list);
}
