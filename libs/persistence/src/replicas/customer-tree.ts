import { type ReplicaColumn } from './replica-sql.js';

/** Column beside the copies that a tree of customers is found by. */
export const PARENT_CUSTOMER: ReplicaColumn = {
  name: 'parent_customer_id',
  kind: 'customer',
  field: 'parentCustomerId',
};

/** A hierarchy has three levels; more would be a circle. */
const LEVELS = 3;

/**
 * SQL of the ids of customers and of all below them, as an array that is made once, before rows are looked for. Its service has the column
 * {@link PARENT_CUSTOMER}; `tenantId` and `customerIds` are parameters.
 */
export const customerTreeSql = (tenantId: string, customerIds: string): string =>
  `ARRAY(
     WITH RECURSIVE tree (id, level) AS (
       SELECT id::text, 1 FROM unnest(${customerIds}::uuid[]) AS x (id)
       UNION ALL
       SELECT r.id, tree.level + 1
       FROM tree
       JOIN replica r ON r.tenant_id = ${tenantId}::uuid AND r.parent_customer_id = tree.id AND r.kind = 'customer'
       WHERE tree.level < ${LEVELS}
     )
     SELECT id::uuid FROM tree)`;
