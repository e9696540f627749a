import { type Migration, tenantTable } from '@kontor/persistence';
import { LEDGER_SQL } from '../ledger.sql.js';

const LEDGER_TABLES = ['ledger_account', 'ledger_balance', 'ledger_transfer'];

export const ledger: Migration = {
  name: 'payments_0001_ledger',
  sql: `${LEDGER_SQL}
${LEDGER_TABLES.map(tenantTable).join('\n')}
REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON ${LEDGER_TABLES.join(', ')} FROM {{app}};
`,
};
