import { type Migration, textSearch } from '@kontor/persistence';
import { customerSearch } from '../customer-search.js';

/** Indexes that have the orders in which customers are listed, and one for their search. */
export const customerLists: Migration = {
  name: 'billing_0140_customer_lists',
  sql: `
DROP INDEX customer_company;
CREATE INDEX customer_company ON customer (tenant_id, company_name DESC NULLS LAST, created_at DESC, id DESC);
CREATE INDEX customer_last_name ON customer (tenant_id, last_name DESC NULLS LAST, created_at DESC, id DESC);
DROP INDEX customer_status;
CREATE INDEX customer_status ON customer (tenant_id, status, created_at, id);
${textSearch(customerSearch)}
`,
};
