import { type Migration, tenantTable } from '@kontor/persistence';

export const ledgerLists: Migration = {
  name: 'payments_0041_ledger_lists',
  sql: `
CREATE INDEX ledger_account_code ON ledger_account (tenant_id, code, currency_code, id);
CREATE INDEX ledger_account_customer ON ledger_account (tenant_id, customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX ledger_transfer_date ON ledger_transfer (tenant_id, booked_at, seq);
CREATE INDEX ledger_transfer_debit ON ledger_transfer (tenant_id, debit_account_id);
CREATE INDEX ledger_transfer_credit ON ledger_transfer (tenant_id, credit_account_id);

-- How a tenant's ledger reads in its bookkeeper's chart of accounts.
CREATE TABLE datev_settings (
  tenant_id uuid NOT NULL PRIMARY KEY,
  consultant_number integer NOT NULL,
  client_number integer NOT NULL,
  chart text NOT NULL CHECK (chart IN ('SKR03', 'SKR04')),
  account_length integer NOT NULL,
  fiscal_year_start text NOT NULL,
  locked boolean NOT NULL,
  accounts jsonb NOT NULL
);
${tenantTable('datev_settings')}
`,
};
