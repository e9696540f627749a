import type { TextSearch } from '@kontor/persistence';

/** What `search` looks into. */
export const customerSearch: TextSearch = {
  name: 'customer_search',
  table: 'customer',
  id: 'id',
  columns: ['customer_number', 'company_name', 'first_name', 'last_name', 'email', 'external_id'],
};
