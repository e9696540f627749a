import { customerMergeTables, type Migration } from '@kontor/persistence';

export const customerMerges: Migration = { name: 'identity_0005_customer_merges', sql: customerMergeTables };
