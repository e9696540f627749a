import { type Migration, tenantTable } from '@kontor/persistence';

export const usageBilling: Migration = {
  name: '0110_usage_billing',
  sql: `
-- Whether usage is billed on the next due day: the account then waits for the grace.
alter table subscription_item add column next_due_metered boolean not null default false;

-- The frozen amounts that a line was rated from.
alter table charge add column closing_id uuid;
create index charge_closing on charge (tenant_id, closing_id) where closing_id is not null;

-- Closings that are no longer true. One whose line is not stored (yet) waits for it.
create table usage_correction (
  tenant_id uuid not null,
  closing_id uuid not null,
  customer_id uuid not null,
  item_id uuid not null,
  -- Day in the customer's zone on which it is billed by itself when nothing else falls due any more.
  marked_on text not null,
  created_at timestamptz not null,
  primary key (tenant_id, closing_id)
);
create index usage_correction_customer on usage_correction (tenant_id, customer_id);
${tenantTable('usage_correction')}
`,
};
