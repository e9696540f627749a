import { type Migration, PARENT_CUSTOMER, replicaColumn } from '@kontor/persistence';

/** Documents are listed of a customer with all below it. */
export const customerTrees: Migration = {
  name: '0200_customer_trees',
  sql: replicaColumn(PARENT_CUSTOMER),
};
