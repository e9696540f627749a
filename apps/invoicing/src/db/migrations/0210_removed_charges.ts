import { type Migration, tenantTable } from '@kontor/persistence';

/** Charges whose lines somebody took off a draft. */
export const removedCharges: Migration = {
  name: '0210_removed_charges',
  sql: `
CREATE TABLE removed_charge (
  tenant_id uuid NOT NULL,
  charge_id uuid NOT NULL,
  removed_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, charge_id)
);
${tenantTable('removed_charge')}
`,
};
