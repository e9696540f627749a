import { type Migration, tenantTable } from '@kontor/persistence';

export const usageBilling: Migration = {
  name: '0110_usage_billing',
  sql: `
-- Whether usage is billed on the next due day: the account then waits for the grace.
ALTER TABLE subscription_item ADD COLUMN next_due_metered boolean NOT NULL DEFAULT FALSE;

-- The frozen amounts that a line was rated from.
ALTER TABLE charge ADD COLUMN closing_id uuid;
CREATE INDEX charge_closing ON charge (tenant_id, closing_id) WHERE closing_id IS NOT NULL;

-- Closings that are no longer true. One whose line is not stored (yet) waits for it.
CREATE TABLE usage_correction (
  tenant_id uuid NOT NULL,
  closing_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  item_id uuid NOT NULL,
  -- Day in the customer's zone on which it is billed by itself when nothing else falls due any more.
  marked_on text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, closing_id)
);
CREATE INDEX usage_correction_customer ON usage_correction (tenant_id, customer_id);
${tenantTable('usage_correction')}
`,
};
