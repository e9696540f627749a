import { customerMergeTables, type Migration } from '@kontor/persistence';

export const customerMerges: Migration = { name: 'usage_0050_customer_merges', sql: customerMergeTables };
